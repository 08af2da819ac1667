/** What a person decides about an event. Instants are UTC milliseconds. */
export interface EventFields {
  name: string
  description: string | null
  startsAt: number
  endsAt: number
  allDay: boolean
  meetingUrl: string | null
}

/** An event as those outside are told of it: a mail, a calendar. It is kept with the promise to tell, and tells of then. */
export interface Invitation {
  readonly uid: string
  /** Counts the changes: what comes with a higher one replaces what came before. */
  readonly sequence: number
  readonly name: string
  readonly description: string | null
  /** UTC milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
  readonly allDay: boolean
  readonly meetingUrl: string | null
  readonly organizer: Mailbox
  readonly attendees: readonly Mailbox[]
  /** Of the company: whose days an all-day event takes, and how a mail writes the time. */
  readonly timeZone: string
}

export interface Mailbox {
  readonly name: string
  readonly email: string
}

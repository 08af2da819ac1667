import ICAL from 'ical.js'
import { emailKey } from '../domain/email.ts'
import type { Invitation, Mailbox } from '../domain/invitation.ts'
import { isWebAddress } from '../domain/link-source.ts'
import { formatInZone } from '../domain/zone-offset.ts'

export interface CalendarOptions {
  /** Of the mail that carries it; objects of a CalDAV server must have none (RFC 4791, 4.1). */
  readonly method: 'REQUEST' | 'CANCEL' | null
  /** When this was written, in UTC milliseconds. */
  readonly stamp: number
}

const DAY = 86_400_000
/** Two days from the ends of what can be written: whatever the zone, and with the day after. */
const FIRST = Date.parse('0000-01-03T00:00:00Z')
const LAST = Date.parse('9999-12-29T23:59:59Z')

/** What we say of an event: a value that ours no longer has was taken away. */
const OURS = ['summary', 'description', 'dtstart', 'dtend', 'duration', 'organizer', 'attendee']
/** One of each, and where ours has none, what the other side says stays. */
const LAID_OVER = ['dtstamp', 'status', 'transp', 'location', 'url']

// The library counts 75 octets without the space that a continued line begins with.
ICAL.foldLength = 74

export function calendarText(invitation: Invitation, { method, stamp }: CalendarOptions): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('prodid', '-//Majlis//Majlis//EN')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  if (method !== null) calendar.addPropertyWithValue('method', method)
  calendar.addSubcomponent(eventOf(invitation, { method, stamp }))
  return ICAL.stringify(calendar.toJSON())
}

/**
 * Our event laid over the one that a calendar has by now. What the other side added stays: reminders, properties that
 * we do not write, other components, and the answers of those we still invite.
 */
export function mergeInto(theirs: string, ours: string): string {
  try {
    const calendar = readCalendar(theirs)
    const ourEvent = readCalendar(ours).getFirstSubcomponent('vevent')
    const theirEvent = ourEvent && eventOfUid(calendar, ourEvent.getFirstPropertyValue('uid'))
    if (!ourEvent || !theirEvent) return ours
    // RFC 4791, 4.1: no object of a calendar server has one.
    calendar.removeAllProperties('method')
    layOver(theirEvent, ourEvent)
    return ICAL.stringify(calendar.toJSON())
  } catch {
    return ours
  }
}

function eventOf(invitation: Invitation, { method, stamp }: CalendarOptions): ICAL.Component {
  const { uid, sequence, name, description, meetingUrl, organizer, attendees } = invitation
  const isCancelled = method === 'CANCEL'
  const event = new ICAL.Component('vevent')
  event.addPropertyWithValue('uid', line(uid))
  event.addPropertyWithValue('sequence', sequence)
  event.addProperty(new ICAL.Property(['dtstamp', {}, 'date-time', secondOf(stamp)]))
  addTimes(event, invitation)
  event.addPropertyWithValue('summary', line(name))
  if (description !== null) event.addPropertyWithValue('description', lines(description))
  if (meetingUrl !== null && isWebAddress(meetingUrl)) addMeeting(event, meetingUrl)
  event.addProperty(person('organizer', organizer))
  for (const attendee of attendees) event.addProperty(invited(attendee))
  if (method === null) leaveSchedulingToUs(event)
  event.addPropertyWithValue('status', isCancelled ? 'CANCELLED' : 'CONFIRMED')
  // Whole days leave their people free for meetings, as calendars do by themselves.
  const isFree = isCancelled || invitation.allDay
  event.addPropertyWithValue('transp', isFree ? 'TRANSPARENT' : 'OPAQUE')
  return event
}

/** A calendar server that invites people by itself (RFC 6638) would tell them twice. */
function leaveSchedulingToUs(event: ICAL.Component): void {
  for (const role of ['organizer', 'attendee']) {
    for (const property of event.getAllProperties(role)) {
      property.setParameter('schedule-agent', 'CLIENT')
    }
  }
}

/**
 * UTC needs no VTIMEZONE, which the programs that read this understand each in its own way. Without an end, an event
 * is its start: an instant, or one day. One that is no later would be wrong (RFC 5545, 3.8.2.2).
 */
function addTimes(event: ICAL.Component, { startsAt, endsAt, allDay, timeZone }: Invitation): void {
  const type = allDay ? 'date' : 'date-time'
  const start = allDay ? dayOf(startsAt, timeZone) : secondOf(startsAt)
  const end = allDay ? dayAfter(dayOf(endsAt, timeZone)) : secondOf(endsAt)
  event.addProperty(new ICAL.Property(['dtstart', {}, type, start]))
  if (end > start) event.addProperty(new ICAL.Property(['dtend', {}, type, end]))
}

function secondOf(milliseconds: number): string {
  return `${new Date(writable(milliseconds)).toISOString().slice(0, 19)}Z`
}

function dayOf(milliseconds: number, timeZone: string): string {
  return formatInZone(writable(milliseconds), timeZone).slice(0, 10)
}

/** Of the calendar, whose days have no hours: DTEND is the first day that is no part of the event. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10)
}

/** Years have four digits. */
function writable(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, FIRST), LAST)
}

/** Google and Outlook show the place and ignore URL; Apple shows both, and makes a button of the first it knows. */
function addMeeting(event: ICAL.Component, address: string): void {
  event.addPropertyWithValue('location', address)
  event.addPropertyWithValue('url', address)
}

function invited(attendee: Mailbox): ICAL.Property {
  const property = person('attendee', attendee)
  property.setParameter('role', 'REQ-PARTICIPANT')
  property.setParameter('partstat', 'NEEDS-ACTION')
  property.setParameter('rsvp', 'TRUE')
  return property
}

function person(role: 'organizer' | 'attendee', { name, email }: Mailbox): ICAL.Property {
  const property = new ICAL.Property(role)
  // Parameters have no escapes of old: Outlook and Google show those of RFC 6868, and some read a backslash as one.
  const shown = line(name).replaceAll('"', "'").replaceAll('\\', '/')
  if (shown !== '') property.setParameter('cn', shown)
  property.setValue(`mailto:${line(email).replace(/\s/g, '')}`)
  return property
}

/** The library escapes the line feed only, and some readers end a line at others too. */
function line(text: string): string {
  return lines(text).replaceAll('\n', ' ').trim()
}

function lines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
}

function readCalendar(text: string): ICAL.Component {
  const component = new ICAL.Component(ICAL.parse(text))
  if (component.name !== 'vcalendar') throw new Error('no calendar')
  return component
}

/** The event itself: those with a RECURRENCE-ID say what differs on one day of a series. */
function eventOfUid(calendar: ICAL.Component, uid: unknown): ICAL.Component | undefined {
  return calendar
    .getAllSubcomponents('vevent')
    .find((each) => each.getFirstPropertyValue('uid') === uid && !each.hasProperty('recurrence-id'))
}

function layOver(theirs: ICAL.Component, ours: ICAL.Component): void {
  const answers = answersOf(theirs)
  // Lower than what the other side knows, it would be taken for an older version of the event.
  const sequence = Math.max(sequenceOf(theirs), sequenceOf(ours))
  if (!ours.hasProperty('url')) removeMeeting(theirs)
  for (const name of OURS) theirs.removeAllProperties(name)
  for (const name of LAID_OVER) if (ours.hasProperty(name)) theirs.removeAllProperties(name)
  for (const property of ours.getAllProperties()) {
    if (property.name === 'uid' || property.name === 'sequence') continue
    theirs.addProperty(property.name === 'attendee' ? answered(property, answers) : copy(property))
  }
  theirs.updatePropertyWithValue('sequence', sequence)
}

/** Parameters of the attendees, by their addresses. */
function answersOf(event: ICAL.Component): Map<string, ICAL.Property> {
  return new Map(event.getAllProperties('attendee').map((each) => [addressOf(each), each]))
}

function addressOf(attendee: ICAL.Property): string {
  return emailKey(String(attendee.getFirstValue()).replace(/^mailto:/i, ''))
}

function answered(ours: ICAL.Property, answers: Map<string, ICAL.Property>): ICAL.Property {
  const property = copy(ours)
  const answer = answers.get(addressOf(ours))?.getFirstParameter('partstat')
  if (answer) property.setParameter('partstat', answer)
  return property
}

function copy(property: ICAL.Property): ICAL.Property {
  return new ICAL.Property(structuredClone(property.toJSON()))
}

/** A place that is the address itself was written by us; any other, such as a room, by the other side. */
function removeMeeting(event: ICAL.Component): void {
  const url = event.getFirstPropertyValue('url')
  if (url === null || event.getFirstPropertyValue('location') !== url) return
  event.removeAllProperties('url')
  event.removeAllProperties('location')
}

function sequenceOf(event: ICAL.Component): number {
  const sequence = Number(event.getFirstPropertyValue('sequence'))
  return Number.isSafeInteger(sequence) ? sequence : 0
}

import type { CalendarClient } from '../caldav/client.ts'
import type { Mailer } from '../mail/smtp.ts'
import type { ConnectionRow } from '../resources/events/connections.ts'
import type { SandboxMail, SandboxMails } from './sandbox.ts'

/** Keeps what would be sent, for the test to look at. */
export function collectingMailer(hasPending: () => boolean): {
  port: Mailer
  script: SandboxMails
} {
  const sent: SandboxMail[] = []
  let isFailing = false

  return {
    port: {
      async send({ to, subject, text, html, calendar }) {
        if (isFailing) throw new Error('The mail server fails, as the test has told it to')
        sent.push({ to, subject, text, html, calendar: calendar?.text ?? null })
      },
      verify: async () => 'the sandbox',
      close() {},
    },
    script: {
      all: () => [...sent],
      fail() {
        isFailing = true
      },
      accept() {
        isFailing = false
      },
      async settled() {
        while (hasPending()) {
          if (isFailing) {
            throw new Error('Mails wait, and the mail server has been told to take none')
          }
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
      },
    },
  }
}

/** Calendars in memory, by their addresses. */
export function memoryCalendars() {
  const calendars = new Map<string, Map<string, { text: string; etag: string }>>()
  let writes = 0

  function at(url: string): Map<string, { text: string; etag: string }> {
    const found = calendars.get(url) ?? new Map<string, { text: string; etag: string }>()
    calendars.set(url, found)
    return found
  }

  return {
    textsAt: (url: string): string[] => [...at(url).values()].map(({ text }) => text),

    clientOf({ url }: ConnectionRow): CalendarClient {
      const objects = at(url)
      return {
        probe: async () => ({ name: null }),
        async put(href, text, etag) {
          if ((objects.get(href)?.etag ?? null) !== etag) return { kind: 'conflict' }
          const kept = { text, etag: `"${++writes}"` }
          objects.set(href, kept)
          return { kind: 'kept', etag: kept.etag }
        },
        get: async (href) => objects.get(href) ?? null,
        async remove(href) {
          return objects.delete(href) ? 'removed' : 'absent'
        },
      }
    },
  }
}

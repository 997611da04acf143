import { answerEvents } from '../views/event-list.ts'
import { route } from '../http/route.ts'

/** Decisions, 10: events of the organization, or the feed of them. Refuses with BAD_REQUEST. */
export const getEvents = route('getEvents', (asked) => answerEvents(asked, asked.query))

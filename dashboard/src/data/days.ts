const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * The times of a filter by days. A date field gives days of the person's zone, both included; the
 * service takes a date alone as midnight UTC. A full time of a link is left as it is.
 */
export function dayRange({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    ...(from !== undefined && { from: toTime(from, 'T00:00:00.000') }),
    ...(to !== undefined && { to: toTime(to, 'T23:59:59.999') }),
  }
}

function toTime(text: string, ofDay: string): string {
  if (!DAY.test(text)) return text
  const time = new Date(`${text}${ofDay}`)
  return Number.isNaN(time.getTime()) ? text : time.toISOString()
}

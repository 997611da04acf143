import { Agent, request } from 'undici'

const IN_FLIGHT = 8
const agent = new Agent({ connections: 16 })

/**
 * The limit of a catch-up, in a separate process: the minimum work of any client of a node. Fetches
 * all blocks from `first` to `last`, some in parallel, and reports the rate, the processor time of
 * each (as `figure`), and whether all arrived.
 */
export async function fetchLimit(given: {
  first: number
  last: number
  figure: string
  fetchOne: (height: number) => Promise<void>
  isWhole: (count: number) => boolean
}): Promise<void> {
  const { first, last, figure, fetchOne, isWhole } = given
  let next = first
  const fetchAll = async () => {
    for (let height = next++; height <= last; height = next++) await fetchOne(height)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, fetchAll))
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage()
  const count = last - first + 1
  const more = { [figure]: (user + system) / 1_000 / count }
  process.send?.({ rate: count / seconds, ok: isWhole(count), more })
  await agent.close()
}

/** The parsed answer to a posted question. */
export async function postJson(url: string, question: unknown): Promise<unknown> {
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    dispatcher: agent,
  })
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

import type { IncomingMessage } from 'node:http'

/** The body of a request as text, read to its end; null if it exceeds `most` bytes. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= most) chunks.push(bytes)
  }
  return size > most ? null : Buffer.concat(chunks).toString()
}

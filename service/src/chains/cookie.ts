import { readFile } from 'node:fs/promises'
import { Outage } from '../base/fault.ts'

/** The user and password that a node has written into a file, for who may read it. */
export interface Cookie {
  /** The header that proves who asks; an Outage of the node where the file says none. */
  read(): Promise<string>
  /** The next reading is of the file: the node may have started anew, and written another. */
  forget(): void
}

/** As Bitcoin Core writes it: a user and a password in one line. */
const PAIR = /^[^:\s]+:\S+$/

/** A cookie file as Bitcoin Core writes one at each start. Nothing is read yet. */
export function openCookie(node: string, file: string): Cookie {
  let kept: Promise<string> | null = null
  return {
    read: () => {
      kept ??= readCookie(node, file).catch((error: unknown) => {
        kept = null
        throw error
      })
      return kept
    },
    forget: () => {
      kept = null
    },
  }
}

async function readCookie(node: string, file: string): Promise<string> {
  const pair = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      throw new Outage(node, `its cookie file cannot be read (${String(Object(error).code)})`)
    },
  )
  if (!PAIR.test(pair)) throw new Outage(node, 'its cookie file holds no user and password')
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

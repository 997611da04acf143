import { readFile } from 'node:fs/promises'
import { Outage } from '../base/fault.ts'

/** The user and password that a node has written into a file. */
export interface Cookie {
  /** The authorization header; an Outage of the node if the file has no credentials. */
  read(): Promise<string>
  /** Reads the file again next time: a restarted node has written other credentials. */
  forget(): void
}

/** As Bitcoin Core writes it: a user and a password in one line. */
const PAIR = /^[^:\s]+:\S+$/

/** A cookie file, which Bitcoin Core writes at each start; read lazily. */
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

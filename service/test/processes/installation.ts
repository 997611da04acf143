import { onTestFinished } from 'vitest'
import { freePort } from '@sluice/simulator'
import { makeEmptyDatabase } from '../support/database.ts'
import { setHostileDefaults } from '../support/hostile-database.ts'
import { makeHome, sluiceJson, writeConfig } from './program.ts'

/** A whole installation on a new database, with an organization; not serving yet. */
export interface Installation {
  config: string
  port: number
  baseUrl: string
  databaseUrl: string
  orgId: string
  apiKey: string
  /** The words of its seed. */
  words: string
  get: (path: string) => Promise<Answer>
  patch: (path: string, body: Record<string, unknown>) => Promise<Answer>
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** An external database, as an operator would hand over its URL; empty, and dropped in the end. */
export async function makeDatabaseUrl(): Promise<string> {
  const empty = await makeEmptyDatabase()
  onTestFinished(() => empty.drop())
  return empty.adminUrl
}

/** The same, of a database whose defaults change what statements mean. */
export async function makeHostileDatabaseUrl(): Promise<string> {
  const url = await makeDatabaseUrl()
  await setHostileDefaults(url)
  return url
}

/** Makes keys and an organization as an operator does. */
export async function install(
  given: Record<string, unknown> & { databaseUrl?: string } = {},
): Promise<Installation> {
  const databaseUrl = given.databaseUrl ?? (await makeDatabaseUrl())
  const port = await freePort()
  const config = writeConfig(makeHome(), { ...given, databaseUrl, port })
  const { words } = await sluiceJson<{ words: string }>(config, ['keys', 'init', '--yes'])
  const org = ['org', 'create', '--name', 'Acme']
  const { id: orgId, apiKey } = await sluiceJson<{ id: string; apiKey: string }>(config, org)
  const baseUrl = `http://127.0.0.1:${port}`
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}${path}`, { ...init, headers })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return {
    config,
    port,
    baseUrl,
    databaseUrl,
    orgId,
    apiKey,
    words,
    get: (path) => ask(path, { method: 'GET' }),
    patch: (path, body) => ask(path, { method: 'PATCH', body: JSON.stringify(body) }),
  }
}

import type { FastifyInstance } from 'fastify'
import { codeOf, Misconfigured } from '../base/fault.ts'
import { SETTINGS } from './config-settings.ts'
import type { Config } from './config.ts'

/** Starts to listen. A port in use is reported with the port and the variable to change. */
export async function listen(
  server: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    throw portTaken(error, { host, port, variable: SETTINGS.port.env })
  }
}

/** A readable error for an unavailable port; any other error unchanged. */
export function portTaken(
  error: unknown,
  options: { host: string; port: number; variable: string },
): unknown {
  const code = codeOf(error)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const why = code === 'EADDRINUSE' ? 'is in use' : 'may not be used'
  const { host, port, variable } = options
  return new Misconfigured(`Port ${port} on ${host} ${why}. Set ${variable} to another port.`, {
    cause: error,
  })
}

import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { Outage, Refusal } from '../base/fault.ts'
import type { Deadlines } from './deadlines.ts'
import { describeError } from './describe-error.ts'
import { canonicalAddress, isPublicAddress } from './public-address.ts'
import { addressesOf, isGuarded, publicAddressesOf } from './target.ts'
import type { Resolve, TargetRules } from './target.ts'

/** The delay before a connection to the next address is tried in parallel. */
const NEXT_ADDRESS_AFTER_MS = 2_000
const KEEP_ALIVE_AFTER_MS = 60_000

export interface ConnectorOptions {
  rules: TargetRules
  resolve: Resolve
  /** Bounds a connection from its DNS lookup to the end of the TLS handshake. */
  deadlines: Deadlines
  /** Trusted certificates that replace the system's, PEM. */
  ca?: string
}

/**
 * Opens undici's connections: resolves the name, requires every address to be public, connects only
 * to these addresses, and checks the peer again before the first byte is sent. A name whose address
 * changes between check and connection therefore has no effect (decisions, 10). Certificates are
 * verified against the name.
 */
export function openConnector(options: ConnectorOptions): buildConnector.connector {
  const { ca, deadlines } = options
  const secure = buildConnector(ca === undefined ? { timeout: 0 } : { timeout: 0, ca })
  return (target, tell) => {
    const line = new Line()
    const opening = open(target, { ...options, secure, line })
    withinDeadline(deadlines, opening, () => line.cut()).then(
      (socket) => tell(null, socket),
      (error: unknown) => tell(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}

interface Opening extends ConnectorOptions {
  secure: buildConnector.connector
  line: Line
}

/** The resources of an opening connection, to end it early. */
class Line {
  #socket: Socket | null = null
  #isCut = false

  hold(socket: Socket): void {
    this.#socket = socket
    if (this.#isCut) socket.destroy()
  }

  cut(): void {
    this.#isCut = true
    this.#socket?.destroy()
  }
}

async function open(target: buildConnector.Options, opening: Opening): Promise<Socket> {
  const socket = await dial(target, opening)
  if (target.protocol !== 'https:') return socket
  const securing = new Promise<Socket>((resolve, reject) => {
    opening.secure({ ...target, httpSocket: socket }, (error, secured) =>
      secured ? resolve(secured) : reject(error),
    )
  })
  return during('TLS', securing)
}

/** Adds the failed step to the error, for the log of deliveries. */
async function during<T>(step: 'connect' | 'TLS', work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal || error instanceof Outage) throw error
    throw new Outage(step, describeError(error), { cause: error })
  }
}

/** A plain connection to a checked address. */
async function dial(
  { hostname, host, protocol, port }: buildConnector.Options,
  { rules, resolve, line }: Opening,
): Promise<Socket> {
  const guarded = isGuarded(new URL(`${protocol}//${host ?? hostname}`).origin, rules)
  const find = guarded ? publicAddressesOf : addressesOf
  const addresses = await find(hostname, resolve)
  const socket = connect({
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  })
  // The owner of the socket handles later errors; this handler only prevents an unhandled event.
  socket.on('error', () => {})
  line.hold(socket)
  await during('connect', once(socket, 'connect'))
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
  const remote = canonicalAddress(socket.remoteAddress ?? '')
  const known = addresses.some((address) => canonicalAddress(address) === remote)
  if (known && (!guarded || isPublicAddress(remote))) return socket
  socket.destroy()
  throw new Outage('receiver', 'connected to another address than the one checked')
}

/** Replaces the DNS lookup: only checked addresses are connected to. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const [first] = all
    if (first === undefined) callback(new Error('no address'), [])
    else if (options.all) callback(null, all)
    else callback(null, first.address, first.family)
  }
}

function withinDeadline<T>(deadlines: Deadlines, work: Promise<T>, cut: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = deadlines.start(() => {
      cut()
      reject(new Outage('receiver', 'no connection within the time of a delivery'))
    })
    work.finally(cancel).then(resolve, reject)
  })
}

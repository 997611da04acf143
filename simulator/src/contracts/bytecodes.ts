import type { Hex } from '../hex.ts'

/**
 * Init code of a token that emits `Transfer(caller, to, amount)` for any call and moves nothing;
 * it answers 1 to every call, `balanceOf` too.
 */
export function fakeTokenInitCode(): Hex {
  const runtime =
    '60206024600037600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' +
    '60206000a3600160005260206000f3'
  return `0x603b600c600039603b6000f3${runtime}`
}

/** Init code of a contract that reverts every call. */
export function alwaysRevertInitCode(): Hex {
  return '0x6005600c60003960056000f360006000fd'
}

/** Runtime code that reverts every call: for `anvil_setCode`. */
export function alwaysRevertCode(): Hex {
  return '0x60006000fd'
}

/**
 * Init code that gives its value to the address by SELFDESTRUCT in the constructor: a payment with
 * neither a log nor a recipient in its transaction. To be sent as a creation, with the value.
 */
export function selfDestructPayer(to: string): Hex {
  return `0x73${digits(to)}ff`
}

/** Runtime code of a contract that forwards all received value to the address. */
export function forwarderCode(to: string): Hex {
  return `0x60006000600060003473${digits(to)}5af100`
}

/** Init code that deploys the forwarder to the address. */
export function forwarderInitCode(to: string): Hex {
  const runtime = forwarderCode(to).slice(2)
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${size}600c60003960${size}6000f3${runtime}`
}

function digits(address: string): string {
  const found = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
  if (found === undefined) throw new Error(`not an address: ${address}`)
  return found.toLowerCase()
}

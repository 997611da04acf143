import { isValidClassicAddress } from 'ripple-address-codec'
import { LSF } from './state.ts'
import { accountsAt, type Json, XrplFault, type XrplRequest, type XrplView } from './view.ts'

/**
 * deposit_authorized. Like the server, ignores that an almost empty account accepts small amounts
 * from everyone.
 */
export function askAuthorized(view: XrplView, { params }: XrplRequest): Json {
  const { source_account: source, destination_account: destination } = params
  for (const one of [source, destination]) {
    if (typeof one !== 'string') throw new XrplFault('invalidParams')
    if (!isValidClassicAddress(one)) throw new XrplFault('actMalformed')
  }
  const [from, to] = [String(source), String(destination)]
  const { accounts, where } = accountsAt(view, params)
  if (!accounts.has(from)) throw new XrplFault('srcActNotFound', where)
  const account = accounts.get(to)
  if (account === undefined) throw new XrplFault('dstActNotFound', where)
  const isOpen = from === to || (account.flags & LSF.depositAuth) === 0
  return {
    deposit_authorized: isOpen || account.allowed?.includes(from) === true,
    destination_account: to,
    ...where,
    source_account: from,
  }
}

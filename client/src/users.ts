import type { Download } from './download.ts'
import type { ReadList } from './money-lists.ts'
import type { Answer, Body, CallOptions, Filter } from './operation.ts'
import type { CodeOptions } from './organisation.ts'
import { eachOf, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** A person of the organization. */
export type User = Answer<'getUser'>['user']
/** An invited person, and the token of the invitation, which is shown once. */
export type Invited = Answer<'postUsers'>

/**
 * The people of the organization. Changes need the access token of an admin and a `totpCode`, and
 * are never repeated.
 */
export interface Users extends ReadList<User, Filter<'getUsers'>> {
  /** One person, by the id. */
  get(id: string, options?: CallOptions): Promise<User>
  /** Invites a person; hand the token over on a private channel. */
  invite(person: Omit<Body<'postUsers'>, 'totpCode'>, options?: CodeOptions): Promise<Invited>
  /** Changes the role of a person, or disables or enables a person. */
  update(
    id: string,
    change: Omit<Body<'patchUser'>, 'totpCode'>,
    options?: CodeOptions,
  ): Promise<User>
  /** Resets the credentials of another person and issues a new invitation. */
  reset(id: string, options?: CodeOptions): Promise<Invited>
  /** Withdraws the open invitation of a person. */
  withdrawInvitation(id: string, options?: CodeOptions): Promise<User>
}

export function openUsers(ask: Ask, download: Download): Users {
  const list: Users['list'] = async (filter, options) => {
    const answer = await ask('getUsers', { query: paged(filter) }, options)
    return toPage(answer.users, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getUsers', format, { query: { ...filter } }, options),
    get: async (id, options) => (await ask('getUser', { path: { id } }, options)).user,
    invite: (person, { totpCode, ...options } = {}) =>
      ask('postUsers', { body: { ...person, totpCode } }, options),
    update: async (id, change, { totpCode, ...options } = {}) =>
      (await ask('patchUser', { path: { id }, body: { ...change, totpCode } }, options)).user,
    reset: (id, { totpCode, ...options } = {}) =>
      ask('postUserReset', { path: { id }, ...withCode(totpCode) }, options),
    withdrawInvitation: async (id, { totpCode, ...options } = {}) => {
      const headers = totpCode === undefined ? {} : { headers: { 'x-totp-code': totpCode } }
      return (await ask('deleteUserInvitation', { path: { id }, ...headers }, options)).user
    },
  }
}

function withCode(totpCode: string | undefined): { body?: { totpCode: string } } {
  return totpCode === undefined ? {} : { body: { totpCode } }
}

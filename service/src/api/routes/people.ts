import type { PEOPLE_OPERATIONS, Person as PersonView } from '@sluice/wire'
import { Refusal } from '../../base/fault.ts'
import { iso } from '../../base/clock.ts'
import { isId } from '../../base/id.ts'
import { changeUser } from '../../orgs/change-user.ts'
import type { NewInvitation } from '../../orgs/invitation.ts'
import { inviteUser, withdrawInvitation } from '../../orgs/invite-user.ts'
import { listPeople, readPerson, refusePerson, type Person } from '../../orgs/list-people.ts'
import { resetCredentials } from '../../orgs/reset-credentials.ts'
import type { Tx } from '../../store/database.ts'
import { pendingThresholds } from '../../withdrawals/approve/pending-thresholds.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { badRequest } from '../http/faults.ts'
import { answerList } from '../http/paging.ts'
import type { Call, Handlers } from '../http/route.ts'
import { viewPerson } from '../views/views.ts'

export const peopleRoutes: Handlers<keyof typeof PEOPLE_OPERATIONS> = {
  getUsers: ({ database, serviceKey, caller: { orgId }, exporting, query }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = query
    return answerList(
      { ...query, exporting },
      {
        key: 'users',
        read: async (after, limit) => {
          const page = { orgId, filter, after, limit }
          const people = await database.forOrg(orgId, (tx) => listPeople(tx, serviceKey, page))
          return people.map((person) => ({ place: person, view: viewPerson(person) }))
        },
      },
    )
  },

  postUsers: async (call) => {
    const { serviceKey, random, caller, body, setStatus } = call
    const { orgId } = caller
    const { username, role } = body
    const draft = { orgId, username, role, actor: actorOf(caller), random }
    const invited = await configure(call, async (tx) => {
      const { user, invitation } = await inviteUser(tx, serviceKey, draft)
      return { result: await viewInvited(tx, call, user.id, invitation), isChanged: true }
    })
    setStatus(201)
    return invited
  },

  getUser: async ({ database, serviceKey, caller: { orgId }, params: { id } }) => {
    const person = await database.forOrg(orgId, (tx) => readPerson(tx, serviceKey, { orgId, id }))
    return { user: viewPerson(person) }
  },

  patchUser: async (call) => {
    const { serviceKey, caller, params, body } = call
    const { orgId } = caller
    const { role, disabled } = body
    const id = requirePersonId(params)
    if (role === undefined && disabled === undefined)
      throw badRequest('role', 'Send `role`, `disabled` or both.')
    const change = {
      user: id,
      actor: actorOf(caller),
      ...(role !== undefined && { role }),
      ...(disabled !== undefined && { disabled }),
    }
    return configure(call, async (tx) => {
      await readPerson(tx, serviceKey, { orgId, id })
      const { isChanged } = await changeUser(tx, serviceKey, change, pendingThresholds)
      const user = viewPerson(await readPerson(tx, serviceKey, { orgId, id }))
      return { result: { user }, isChanged }
    })
  },

  postUserReset: async (call) => {
    const { serviceKey, random, caller, params } = call
    const { orgId } = caller
    const id = requirePersonId(params)
    const reset = { user: id, actor: actorOf(caller), random }
    return configure(call, async (tx) => {
      if (id === caller.userId) refuseOwn()
      await readPerson(tx, serviceKey, { orgId, id })
      const { invitation } = await resetCredentials(tx, serviceKey, reset)
      return { result: await viewInvited(tx, call, id, invitation), isChanged: true }
    })
  },

  deleteUserInvitation: async (call) => {
    const { serviceKey, caller, params } = call
    const { orgId } = caller
    const id = requirePersonId(params)
    return configure(call, async (tx) => {
      await readPerson(tx, serviceKey, { orgId, id })
      const withdrawal = { user: id, actor: actorOf(caller) }
      const { isChanged } = await withdrawInvitation(tx, serviceKey, withdrawal)
      const user = viewPerson(await readPerson(tx, serviceKey, { orgId, id }))
      return { result: { user }, isChanged }
    })
  },
}

async function viewInvited(
  tx: Tx,
  { serviceKey, caller: { orgId } }: Call<'postUsers' | 'postUserReset'>,
  id: string,
  { token, expiresAt }: NewInvitation,
): Promise<{ user: PersonView; invitation: { token: string; expiresAt: string } }> {
  const user: Person = await readPerson(tx, serviceKey, { orgId, id })
  return {
    user: viewPerson(user),
    invitation: { token: token.reveal(), expiresAt: iso(expiresAt) },
  }
}

/** A name, which other modules accept instead of an id, is unknown here. */
function requirePersonId({ id }: { id: string }): string {
  return isId(id) ? id : refusePerson(id)
}

function refuseOwn(): never {
  const says =
    'You cannot reset your own credentials. Change your password with PATCH /auth/password and ' +
    'your TOTP secret with POST /auth/totp.'
  throw new Refusal('FORBIDDEN', { reason: 'own_credentials' }, says)
}

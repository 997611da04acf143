import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { AT, USER_ID } from './examples.ts'
import { columns } from './exports.ts'
import { text, timestamp, timestampOrNull } from './fields.ts'
import {
  LIST,
  NextCursor,
  oneOf,
  Page,
  PERSON_ID,
  PERSONS_CODE,
  search,
  USERNAME,
} from './parameters.ts'

/** The roles of people. */
const PERSON_ROLES = ['viewer', 'operator', 'approver', 'admin'] as const

const PERSON_STATUSES = ['invited', 'active', 'disabled'] as const

const Role = (description: string) => Type.Enum([...PERSON_ROLES], { type: 'string', description })

/** A person of the organization. */
export const Person = Type.Object({
  id: text('Unique id.'),
  username: text('The name that the person signs in with.'),
  role: Role('The role, which grants the permissions.'),
  status: Type.Enum([...PERSON_STATUSES], {
    type: 'string',
    description: '`invited` until the first invitation is accepted.',
  }),
  enrolled: Type.Boolean({
    description: 'Whether the person has a password and a TOTP secret; false after a reset.',
  }),
  invitationExpiresAt: timestampOrNull(
    'Until when the invitation can be accepted; in the past if it expired, null without one.',
  ),
  lastLoginAt: timestampOrNull('The last sign-in.'),
  tampered: Type.Boolean({
    description:
      'Whether role or status were changed in the database. Such a user has no permissions and ' +
      'can only be disabled.',
  }),
  createdAt: timestamp('When the person was invited.'),
  updatedAt: timestamp('When the person was last changed.'),
})
export type Person = Static<typeof Person>

const Invitation = Type.Object({
  token: text('The token of the invitation. It is shown only once: the service stores a hash.'),
  expiresAt: timestamp('Until when it can be accepted: 72 hours.'),
})
const Invited = Type.Object({ user: Person, invitation: Invitation })
const OnePerson = Type.Object({ user: Person })

const ANN: Person = {
  id: USER_ID,
  username: 'ann',
  role: 'approver',
  status: 'invited',
  enrolled: false,
  invitationExpiresAt: '2026-02-03T09:30:00.000Z',
  lastLoginAt: null,
  tampered: false,
  createdAt: AT,
  updatedAt: AT,
}
const INVITED = {
  user: ANN,
  invitation: { token: `sli_${'Ab3_'.repeat(10)}xyz`, expiresAt: '2026-02-03T09:30:00.000Z' },
}

export const PEOPLE_OPERATIONS = {
  getUsers: {
    method: 'GET',
    path: '/users',
    tag: 'People',
    summary: 'Lists the people of the organization',
    description: LIST,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      q: search('Only people whose `username` contains this text, in any case, or with this `id`.'),
      role: oneOf(PERSON_ROLES, 'Only people with this role.'),
      status: oneOf(PERSON_STATUSES, 'Only people in this status.'),
      ...Page,
    }),
    responses: { 200: Type.Object({ users: Type.Array(Person), nextCursor: NextCursor }) },
    export: {
      name: 'users',
      columns: [
        ...columns('id', 'username', 'role', 'status', 'enrolled', 'invitationExpiresAt'),
        ...columns('lastLoginAt', 'tampered', 'createdAt', 'updatedAt'),
      ],
    },
    errors: [],
    example: {
      query: { role: 'approver', status: 'invited', limit: 100 },
      answers: { 200: { users: [ANN], nextCursor: null } },
    },
  },
  postUsers: {
    method: 'POST',
    path: '/users',
    tag: 'People',
    summary: 'Invites a person',
    description:
      'Hand the token over on a private channel. With it the person sets a password and a TOTP ' +
      'secret (`POST /auth/invitation`) within 72 hours. Requires a one-time code.',
    credential: 'bearer',
    permission: 'managePeople',
    body: Type.Object({
      username: USERNAME,
      role: Role('The role of the person.'),
      totpCode: PERSONS_CODE,
    }),
    code: 'required',
    responses: { 201: Invited },
    errors: ['INVALID_TOTP'],
    example: {
      body: { username: 'ann', role: 'approver', totpCode: '492039' },
      answers: { 201: INVITED },
    },
  },
  getUser: {
    method: 'GET',
    path: '/users/:id',
    tag: 'People',
    summary: 'Returns a person',
    description: 'A person of the organization, with the state of the invitation.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: PERSON_ID }),
    responses: { 200: OnePerson },
    errors: ['NOT_FOUND'],
    example: { params: { id: USER_ID }, answers: { 200: { user: ANN } } },
  },
  patchUser: {
    method: 'PATCH',
    path: '/users/:id',
    tag: 'People',
    summary: 'Changes the role of a person, or disables or enables a person',
    description:
      'Ends the sessions of the person. Refused with INVALID_MIN_SIGNERS while new or pending ' +
      'withdrawals need this signer: `details.withdrawals` lists the pending ones. The last ' +
      'admin keeps the role. Requires a one-time code.',
    credential: 'bearer',
    permission: 'managePeople',
    params: Type.Object({ id: PERSON_ID }),
    body: Type.Object({
      role: Type.Optional(Role('The new role.')),
      disabled: Type.Optional(
        Type.Boolean({ description: 'Whether the person may not sign in or approve.' }),
      ),
      totpCode: PERSONS_CODE,
    }),
    code: 'required',
    responses: { 200: OnePerson },
    errors: ['INVALID_TOTP', 'NOT_FOUND', 'INVALID_MIN_SIGNERS', 'LAST_ADMIN'],
    example: {
      params: { id: USER_ID },
      body: { role: 'approver', totpCode: '492039' },
      answers: { 200: { user: ANN } },
    },
  },
  postUserReset: {
    method: 'POST',
    path: '/users/:id/reset',
    tag: 'People',
    summary: 'Resets the credentials of another person and issues a new invitation',
    description:
      'Password, TOTP secret, recovery codes, passkeys and sessions of the person end at once. ' +
      'For a person who has not accepted, the new invitation replaces the previous one. You ' +
      'cannot reset yourself: change your own password and TOTP secret. Requires a one-time code.',
    credential: 'bearer',
    permission: 'managePeople',
    params: Type.Object({ id: PERSON_ID }),
    body: Type.Object({ totpCode: PERSONS_CODE }),
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Invited },
    errors: ['INVALID_TOTP', 'NOT_FOUND'],
    example: {
      params: { id: USER_ID },
      body: { totpCode: '492039' },
      answers: { 200: INVITED },
    },
  },
  deleteUserInvitation: {
    method: 'DELETE',
    path: '/users/:id/invitation',
    tag: 'People',
    summary: 'Withdraws the open invitation of a person',
    description:
      'The token is refused at once; without an open invitation this has no effect. The person ' +
      'remains: `POST /users/<id>/reset` issues a new invitation. Requires a one-time code in ' +
      'the header `x-totp-code`.',
    credential: 'bearer',
    permission: 'managePeople',
    params: Type.Object({ id: PERSON_ID }),
    code: 'required',
    responses: { 200: OnePerson },
    errors: ['INVALID_TOTP', 'NOT_FOUND'],
    example: {
      params: { id: USER_ID },
      answers: { 200: { user: { ...ANN, invitationExpiresAt: null } } },
    },
  },
} as const satisfies Record<string, Operation>

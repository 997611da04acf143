import type { Records } from './records.ts'

/** A picture of the documentation: a page of the dashboard as a person of the sandbox sees it. */
export interface Picture {
  /** Of its file, without `.png`. */
  name: string
  person: string
  /** The address below `/dashboard`. */
  path: (records: Records) => string
  /** A text of the complete page. */
  shows: string
  colorScheme?: 'dark'
}

const ADMIN = 'sandbox-admin'
const APPROVER = 'sandbox-approver-1'

/** Every picture, in the order of the tour. */
export const PICTURES: readonly Picture[] = [
  { name: 'home', person: APPROVER, path: () => '/', shows: 'wait for your approval' },
  { name: 'approvals', person: APPROVER, path: () => '/approvals', shows: 'wait for you' },
  {
    name: 'approval',
    person: APPROVER,
    path: ({ approvalId }) => `/approvals/${approvalId}`,
    shows: 'First payment to this recipient',
  },
  {
    name: 'trace',
    person: APPROVER,
    path: ({ depositHash }) => `/trace?txnHash=${depositHash}`,
    shows: 'Pays an end user',
  },
  { name: 'api-keys', person: ADMIN, path: () => '/api-keys', shows: 'Payout server' },
  {
    name: 'event',
    person: ADMIN,
    path: ({ eventId }) => `/events/${eventId}`,
    shows: '/accounting',
  },
  { name: 'reports', person: ADMIN, path: () => '/reports', shows: 'Adds up' },
  {
    name: 'chains',
    person: ADMIN,
    path: () => '/chains',
    shows: 'Ethereum Sepolia',
    colorScheme: 'dark',
  },
]

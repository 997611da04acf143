import {
  ERRORS,
  type ErrorCode,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '@sluice/wire'

/** An error code with its status: INVALID_TOKEN has 401 for a session and 422 for a token id. */
export interface DocumentedRefusal {
  status: number
  code: ErrorCode
}

const SESSION_ERRORS: readonly ErrorCode[] = ['UNAUTHORIZED', 'INVALID_API_KEY', 'INVALID_TOKEN']

/** Every error that an operation may return, by status. */
export function refusalsOf(name: OperationName): DocumentedRefusal[] {
  const { credential, permission, errors, params }: Operation = OPERATIONS[name]
  const isOpen = credential === 'none'
  const isForAll = permission === 'read' && credential === 'either'
  const common: ErrorCode[] = [
    'BAD_REQUEST',
    ...(isOpen || isForAll ? [] : (['FORBIDDEN'] as const)),
    ...(params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(isOpen ? [] : (['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'] as const)),
    'INTERNAL_ERROR',
  ]
  return [
    ...(isOpen ? [] : SESSION_ERRORS.map((code) => ({ status: 401, code }))),
    ...[...errors, ...common].map((code) => ({ status: ERRORS[code][0], code })),
  ].toSorted((a, b) => a.status - b.status)
}

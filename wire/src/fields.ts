import { Type } from 'typebox'

/** ISO 8601, UTC, milliseconds. */
export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description })
}

export function timestampOrNull(description: string) {
  return Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
}

/** An integer number of base units as a string. */
export function baseUnits(description: string) {
  return Type.String({ pattern: '^-?[0-9]+$', description: `${description} In base units.` })
}

export function text(description: string) {
  return Type.String({ description })
}

export function textOrNull(description: string) {
  return Type.Union([Type.String(), Type.Null()], { description })
}

/** The permissions of a caller. */
export function permissions(description: string) {
  return Type.Array(Type.String(), { description })
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

export function countOrNull(description: string) {
  return Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })
}

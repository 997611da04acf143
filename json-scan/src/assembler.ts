/*
 * The part of a WebAssembly assembler that a scanner of bytes needs (WebAssembly 2.0, section 5):
 * 32-bit numbers, vectors of 16 bytes, memory, and control flow without labels.
 */

/** The bytes of instructions; functions that take and return code compose programs. */
export type Code = readonly number[]
/** The instruction that reads a local variable. */
export type Local = readonly [opcode: number, index: number]
/** Code that leaves a 32-bit number, or the number itself. */
export type Operand = Code | number

/** A function with number parameters that returns a number. */
export interface Routine {
  name: string
  params: number
  /** Local variables behind the parameters: first the numbers, then the vectors. */
  numbers: number
  vectors: number
  body: Code
}

const [NUMBER, VECTOR, FUNCTION, NOTHING] = [0x7f, 0x7b, 0x60, 0x40]
const END = 0x0b
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const SIMD = 0xfd
/** The alignment hint of loads and stores. */
const UNALIGNED = 0

/** Assembles a module that exports these functions and a growable memory of this many pages. */
export function assemble(routines: readonly Routine[], pages: number): Uint8Array<ArrayBuffer> {
  const types = routines.map(({ params }) => [
    FUNCTION,
    ...list(Array.from({ length: params }, () => [NUMBER])),
    ...list([[NUMBER]]),
  ])
  const exported = routines.map(({ name }, at) => [...text(name), 0x00, ...unsigned(at)])
  const bodies = routines.map(({ numbers, vectors, body }) => {
    const locals = list([
      [...unsigned(numbers), NUMBER],
      [...unsigned(vectors), VECTOR],
    ])
    return sized([...locals, ...body, END])
  })
  return Uint8Array.from([
    ...HEADER,
    ...section(1, list(types)),
    ...section(3, list(routines.map((_, at) => unsigned(at)))),
    ...section(5, list([[0x00, ...unsigned(pages)]])),
    ...section(7, list([...exported, [...text('memory'), 0x02, 0x00]])),
    ...section(10, list(bodies)),
  ])
}

/** The variable at an index: parameters, then numbers, then vectors. */
export const local = (rank: number): Local => [0x20, rank]
export const set = ([, rank]: Local, value: Operand): Code => after([value], 0x21, rank)

export const add = (a: Operand, b: Operand): Code => after([a, b], 0x6a)
export const subtract = (a: Operand, b: Operand): Code => after([a, b], 0x6b)
export const multiply = (a: Operand, b: Operand): Code => after([a, b], 0x6c)
export const and = (a: Operand, b: Operand): Code => after([a, b], 0x71)
export const or = (a: Operand, b: Operand): Code => after([a, b], 0x72)
export const not = (a: Operand): Code => after([a], 0x45)
export const equal = (a: Operand, b: Operand): Code => after([a, b], 0x46)
export const differ = (a: Operand, b: Operand): Code => after([a, b], 0x47)
/** An unsigned comparison. */
export const below = (a: Operand, b: Operand): Code => after([a, b], 0x49)
/** The number of trailing zero bits. */
export const zerosBelow = (a: Operand): Code => after([a], 0x68)

/** Reads one byte at an address plus an offset. */
export const byteAt = (address: Operand, offset: number): Code =>
  after([address], 0x2d, UNALIGNED, ...unsigned(offset))
/** Reads four bytes, little-endian. */
export const numberAt = (address: Operand, offset: number): Code =>
  after([address], 0x28, UNALIGNED, ...unsigned(offset))
/** Reads sixteen bytes. */
export const vectorAt = (address: Operand, offset: number): Code =>
  after([address], SIMD, 0x00, UNALIGNED, ...unsigned(offset))
export const storeNumber = (address: Operand, value: Operand, offset = 0): Code =>
  after([address, value], 0x36, UNALIGNED, ...unsigned(offset))
export const storeVector = (address: Operand, value: Code): Code =>
  after([address, value], SIMD, 0x0b, UNALIGNED, 0)

/** A vector with the same byte in all lanes. */
export const sixteen = (byte: number): Code =>
  after([], SIMD, 0x0c, ...Array.from({ length: 16 }, () => byte))
export const bothOf = (a: Code, b: Code): Code => after([a, b], SIMD, 0x4e)
export const eitherOf = (a: Code, b: Code): Code => after([a, b], SIMD, 0x50)
export const differences = (a: Code, b: Code): Code => after([a, b], SIMD, 0x51)
/** Comparisons by byte: a lane has all bits set if the comparison holds, else none. */
export const sameIn = (a: Code, b: Code): Code => after([a, b], SIMD, 0x23)
export const signedBelowIn = (a: Code, b: Code): Code => after([a, b], SIMD, 0x25)
/** Sets all bits of each byte that is in the range of `count` values from `first` on. */
export const rangeIn = (vector: Code, first: number, count: number): Code =>
  after([after([vector, sixteen(first)], SIMD, 0x71), sixteen(count)], SIMD, 0x26)
export const hasAny = (vector: Code): Code => after([vector], SIMD, 0x53)
export const hasAll = (vector: Code): Code => after([vector], SIMD, 0x63)
/** The highest bits of the bytes as a number; the first byte is its lowest bit. */
export const bitsOf = (vector: Code): Code => after([vector], SIMD, 0x64)
/** Keeps a vector in a variable so that it can be used more than once. */
export const reuse = (kept: Local, vector: Code, use: (first: Code, again: Code) => Code): Code =>
  use(after([vector], 0x22, kept[1]), kept)

/** Returns from the function. */
export const leave = (result: Operand): Code => after([result], 0x0f)
export const when = (condition: Code, ...then: Code[]): Code =>
  after([condition, [0x04, NOTHING], ...then], END)
/** Runs the body, and again while the condition holds. */
export const repeatWhile = (condition: Code, ...body: Code[]): Code =>
  after([[0x03, NOTHING], ...body, condition, [0x0d, 0]], END)
/** Runs the body while the condition holds. */
export const repeatIf = (condition: Code, ...body: Code[]): Code =>
  when(condition, repeatWhile(condition, ...body))
/** Runs the case at an index; the last one if the index is out of range. */
export function choose(index: Code, cases: readonly Code[]): Code {
  const last = cases.length - 1
  const opened = cases.flatMap(() => [0x02, NOTHING])
  const targets = cases.slice(0, -1).map((_, at) => unsigned(at))
  const table = [0x0e, ...list(targets), ...unsigned(last)]
  const closed = cases.flatMap((body, at) => [END, ...body, 0x0c, ...unsigned(last - at)])
  // An outer block around all cases is the target of the branch at the end of each case.
  return [0x02, NOTHING, ...opened, ...index, ...table, ...closed, END]
}

/** Operands followed by the instructions that consume them. */
function after(operands: readonly Operand[], ...instructions: number[]): Code {
  return [...operands.flatMap(code), ...instructions]
}

function code(operand: Operand): Code {
  return typeof operand === 'number' ? [0x41, ...signed(operand)] : operand
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)]
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content]
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function text(name: string): Code {
  return sized([...Buffer.from(name)])
}

/** LEB128: seven bits in a byte. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  const isLast = value >= -0x40 && value < 0x40
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

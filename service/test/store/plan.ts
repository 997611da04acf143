import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, Tx } from '../../src/store/database.ts'
import { ORG } from './long-lists.ts'

/** What a statement may cost. */
interface Cost {
  /** Rows that it returns or counts. */
  rows: number
  /**
   * How many times as many rows it may read. For each row it may touch four pages of the database:
   * a few levels of an index, and one or two for the row itself. The whole table has many more.
   */
  kinds?: number
  /** Runs before it, in the same transaction. */
  prepare?: ((tx: Tx) => Promise<void>) | undefined
}

/** The plan of a statement, as it went: rows read, pages touched, tables read as a whole. */
export async function expectCheapIn(
  database: Database,
  query: RawBuilder<unknown>,
  { rows, kinds = 1, prepare }: Cost,
): Promise<void> {
  const [row] = await database.forOrg(ORG, async (tx) => {
    await prepare?.(tx)
    return tx.many(sql<{ 'QUERY PLAN': unknown }>`
      explain (analyze, buffers, format json) ${query}`)
  })
  const nodes = nodesOf(parsePlans(row?.['QUERY PLAN'])[0]?.Plan)
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined)
  // Each withdrawal is listed with its approvals; they are found by an index too.
  const listed = scans.filter((node) => node['Relation Name'] !== 'withdrawal_approvals')
  const read = listed.reduce((total, node) => total + rowsRead(node), 0)
  const [top] = nodes
  const buffers = (top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0)
  const whole = scans.filter((node) => node['Node Type'] === 'Seq Scan').map(nameOf)
  // The plan is part of the comparison, so that a failure shows it.
  const plan = nodes.map((node) => `${node['Node Type']} ${node['Index Name'] ?? ''}`)
  expect(listed.length).toBeGreaterThan(0)
  expect({ whole, plan }).toEqual({ whole: [], plan })
  const most = { read: kinds * (rows + 2) + 10, buffers: kinds * (4 * rows + 40) }
  expect({ plan, read, isCheap: read <= most.read }).toEqual({ plan, read, isCheap: true })
  expect({ plan, buffers, isCheap: buffers <= most.buffers }).toEqual({
    plan,
    buffers,
    isCheap: true,
  })
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

const nameOf = (node: PlanNode) => node['Relation Name']

function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function parsePlans(value: unknown): { Plan: PlanNode }[] {
  return (typeof value === 'string' ? JSON.parse(value) : value) as { Plan: PlanNode }[]
}

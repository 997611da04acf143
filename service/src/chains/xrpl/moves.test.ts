import { expect, test } from 'vitest'
import { readDeed } from './moves.ts'

const MAKER = 'rKjcjXSL2xn6SEwPf2NeCekWyY54HQAgij'
const POOL = 'rsbBHqTA5eLom34booyLytNu9dNFTTqiPr'

const creation = (NewFields: object) => ({
  txnHash: 'A'.repeat(64),
  transaction: { TransactionType: 'AMMCreate', Account: MAKER, Fee: '200000', Sequence: 7 },
  meta: {
    TransactionResult: 'tesSUCCESS',
    TransactionIndex: 3,
    AffectedNodes: [
      { CreatedNode: { LedgerEntryType: 'AccountRoot', NewFields } },
      {
        ModifiedNode: {
          LedgerEntryType: 'AccountRoot',
          FinalFields: { Account: MAKER, Balance: '800000', Domain: 'FF' },
          PreviousFields: { Balance: '1000000' },
        },
      },
    ],
  },
  delivered: undefined,
})

test('a pool that begins without XRP is read, and received none [X07]', () => {
  // rippled leaves what has its default out of the fields of a new node.
  const { changes } = readDeed(creation({ Account: POOL, Sequence: 5, Flags: 26_214_400 }))
  expect(changes).toMatchObject([{ address: MAKER, before: 1_000_000n, after: 800_000n }])
})

test('a pool that begins with XRP received it [X07]', () => {
  const { changes } = readDeed(creation({ Account: POOL, Balance: '5000' }))
  expect(changes[0]).toMatchObject({ address: POOL, before: 0n, after: 5_000n })
})

test('a changed balance without a reported change is an outage [X07]', () => {
  const entry = creation({ Account: POOL })
  const [, changed] = entry.meta.AffectedNodes
  Reflect.deleteProperty(Object(changed).ModifiedNode.FinalFields, 'Balance')
  expect(() => readDeed(entry)).toThrow('AccountRoot.Balance')
})

test.each(['tefPAST_SEQ', 'terQUEUED', 'temBAD_FEE', 'tes', ''])(
  'refuses the result %s beside a transaction of a ledger',
  (TransactionResult) => {
    const entry = creation({ Account: POOL })
    const odd = { ...entry, meta: { ...entry.meta, TransactionResult } }
    expect(() => readDeed(odd)).toThrow('a result that no ledger includes')
  },
)

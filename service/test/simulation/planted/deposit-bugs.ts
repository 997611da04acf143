import { type PlantedBug, REORGING } from './bug.ts'

/** Mistakes about what arrives. */
export const DEPOSIT_BUGS: readonly PlantedBug[] = [
  {
    name: 'receipt status ignored',
    listed: 'ignore receipt status',
    file: 'chains/evm/block.ts',
    find: "if (known.outcome === 'failed') return",
    replace: '',
  },
  {
    name: 'value of the transaction alone',
    listed: 'use tx.value instead of trace result',
    file: 'chains/evm/block.ts',
    find: '...nativeTransfers(chainId, transaction, known.moves)',
    replace: '...nativeTransfers(chainId, transaction, [])',
  },
  {
    name: 'reverted inner frame counts',
    listed: 'credit reverted inner frame',
    file: 'chains/evm/traces.ts',
    find: "return !isMissing(frame.error) && frame.error !== ''",
    replace: 'return false',
  },
  {
    name: 'keyed by transaction',
    listed: 'key by txHash',
    families: ['evm', 'bitcoin'],
    file: 'deposits/detect.ts',
    find: 'const { txnHash, position, tokenId, to, amount } = transfer',
    replace: "const position = 'tx'; const { txnHash, tokenId, to, amount } = transfer",
  },
  {
    name: 'keyed by index in the block',
    listed: 'key by block logIndex',
    file: 'chains/evm/block.ts',
    find: 'const position = `log:${rank}`',
    replace: 'const position = `log:${log.logIndex + rank - rank}`',
  },
  {
    name: 'any contract is a listed token',
    listed: 'symbol match',
    file: 'chains/evm/block.ts',
    find: 'const tokenId = tokens.get(log.address)',
    replace: 'const tokenId = tokens.get(log.address) ?? [...tokens.values()].at(-1)',
  },
  {
    name: 'event of a token believed',
    listed: 'trust event amount on fee token',
    file: 'deposits/verdict.ts',
    find: 'if (moved === transfer.netMovement) return { credit: true }',
    replace: 'if (moved >= 0n) return { credit: true }',
  },
  {
    name: 'covered by nothing',
    file: 'deposits/verdict.ts',
    families: ['evm'],
    find: 'if (after >= expected) return { credit: true }',
    replace: '',
  },
  {
    name: 'held and told to nobody',
    families: ['evm'],
    file: 'deposits/confirm.ts',
    find: 'if (isDeposit(held)) emitHeld(tx, catalogue, held, tip)',
    replace: 'void emitHeld',
  },
  {
    name: 'transfers of nothing count',
    listed: 'count zero-value transfer',
    file: 'chains/evm/block.ts',
    find: 'if (tokenId === undefined || moved === null || moved.amount === 0n) return []',
    replace: 'if (tokenId === undefined || moved === null) return []',
  },
  {
    name: 'own traffic credited',
    listed: 'credit own sweep',
    file: 'transactions/core/spend.ts',
    find: "return own !== undefined && own.purpose !== 'withdrawal'",
    replace: 'return false',
  },
  {
    name: 'parent hash not compared',
    listed: 'no parent-hash check',
    families: REORGING,
    file: 'scanner/reconcile.ts',
    find: 'if (block.height !== last.height + 1 || block.parentHash !== last.hash) break',
    replace: 'if (block.height !== last.height + 1) break',
  },
  {
    name: 'logs asked for by height',
    listed: 'getLogs by number range',
    completeness: 'logs',
    file: 'chains/evm/read-logs.ts',
    find: 'readAtOnce(rpc, answer.header.hash, how)',
    replace: 'readAtOnce(rpc, answer.header, how)',
    also: [
      {
        file: 'chains/evm/read-logs.ts',
        find: 'function readAtOnce(rpc: JsonRpc, hash: string,',
        replace: 'function readAtOnce(rpc: JsonRpc, { hash, height }: RpcHeader,',
      },
      {
        file: 'chains/evm/read-logs.ts',
        find: "import type { RpcLog } from './rpc.ts'",
        replace: "import type { RpcHeader, RpcLog } from './rpc.ts'",
      },
      {
        file: 'chains/evm/read-logs.ts',
        find: "import { BLOCK_BYTES_MAX } from './node.ts'",
        replace: "import { BLOCK_BYTES_MAX, toQuantity } from './node.ts'",
      },
      {
        file: 'chains/evm/read-logs.ts',
        find: 'params: [{ blockHash: hash }]',
        replace: 'params: [{ fromBlock: toQuantity(height), toBlock: toQuantity(height) }]',
      },
      {
        file: 'chains/evm/completeness.ts',
        find: "demand(!/[1-9a-f]/.test(bloom.slice(2)), 'no logs, though the header has some')",
        replace: '',
      },
    ],
  },
  {
    name: 'no logs, and the cursor moves on',
    listed: 'advance cursor on empty',
    completeness: 'logs',
    file: 'chains/evm/completeness.ts',
    find: "demand(!/[1-9a-f]/.test(bloom.slice(2)), 'no logs, though the header has some')",
    replace: '',
  },
  {
    name: 'an empty ledger believed',
    file: 'chains/xrpl/ledger.ts',
    find:
      'demand(root === header.transactionRoot, ' +
      "'transactions that are not those of the ledger')",
    replace: '',
  },
  {
    name: 'one confirmation too few',
    listed: 'confirmations off by one',
    file: 'deposits/due.ts',
    find: 'const byDepth = tip.height - required',
    replace: 'const byDepth = tip.height - required + 1',
  },
  {
    name: 'credited with its first block',
    listed: '0-conf credit',
    file: 'deposits/due.ts',
    find: '  return Math.max(byDepth, byFinality)',
    replace: '  return tip.height',
    also: [
      {
        file: 'deposits/due.ts',
        find: "if (rule === 'depth') return byDepth",
        replace: '',
      },
    ],
  },
  {
    name: 'depth in place of what is final',
    listed: 'finalized ignored',
    families: ['tron'],
    file: 'deposits/due.ts',
    find: "if (rule === 'final') return final === null ? byDepth : byFinality",
    replace: "if (rule === 'final') return tip.height",
  },
  {
    name: 'deposits stay after a reorg',
    listed: 'no reversal on reorg',
    families: REORGING,
    file: 'scanner/apply.ts',
    find: 'const { deposits, fundings } = await orphanTransfers(tx, { catalogue, chainId, block })',
    replace: 'const [deposits, fundings] = [[], []]; void [orphanTransfers, catalogue]',
  },
  {
    name: 'taken back twice',
    listed: 'reversal twice',
    families: REORGING,
    file: 'deposits/orphan.ts',
    find: '  await post(tx, live.flatMap(orphanedPostings))',
    replace:
      '  await post(tx, live.flatMap(orphanedPostings)); ' +
      'await post(tx, live.flatMap(orphanedPostings))',
  },
  {
    name: 'returned deposits not booked',
    families: REORGING,
    file: 'deposits/detect.ts',
    find: 'const booked = post(tx, live.flatMap(bookingsOf))',
    replace: 'const booked = post(tx, fresh.flatMap(bookingsOf))',
  },
  {
    name: 'returned deposits told twice',
    families: REORGING,
    file: 'deposits/detect.ts',
    find: 'emitNew(tx, catalogue, { deposits, matches })',
    replace:
      'emitNew(tx, catalogue, { deposits: [...deposits, ...returned.filter(isDeposit)], matches })',
  },
  {
    name: 'amount promised, not delivered',
    listed: 'XRPL `Amount`',
    file: 'chains/xrpl/moves.ts',
    find: "const stated = delivered ?? meta['DeliveredAmount'] ?? meta['delivered_amount']",
    replace: 'const stated = undefined',
    also: [
      {
        file: 'chains/xrpl/block.ts',
        find: 'const amount = gainOf(deed, change)',
        replace:
          "const isNamed = change.from !== '' && typeof deed.delivered === 'bigint'; " +
          'const amount = isNamed ? deed.delivered : gainOf(deed, change)',
      },
    ],
  },
  {
    name: 'tag 0 is none',
    listed: 'tag 0 = missing',
    file: 'chains/xrpl/moves.ts',
    find: "tag: uint32OrNull(fields['DestinationTag'], 'DestinationTag'),",
    replace: "tag: uint32OrNull(fields['DestinationTag'], 'DestinationTag') || null,",
  },
  {
    name: "no tag is the harness's own money",
    families: ['xrpl'],
    file: 'deposits/attribute.ts',
    find: 'return tag === null && isEarly ? arrival : unattributed',
    replace: 'return arrival',
  },
  {
    name: 'failed calls count',
    listed: 'TRON contractRet ignored',
    file: 'chains/tron/block.ts',
    find: "return hasFailed ? 'failed' : 'succeeded'",
    replace: "return 'succeeded'",
    also: [
      {
        file: 'chains/tron/block.ts',
        find: 'if (rejected || value === 0n || !PAYING_NOTES.has(note)) return []',
        replace: 'if (value === 0n || !PAYING_NOTES.has(note)) return []',
      },
    ],
  },
  {
    name: 'rejected internal transfer counts',
    file: 'chains/tron/block.ts',
    find: 'if (rejected || value === 0n || !PAYING_NOTES.has(note)) return []',
    replace: 'if (value === 0n || !PAYING_NOTES.has(note)) return []',
  },
  {
    name: 'an asset by its name',
    listed: 'TRC-10 by name',
    file: 'chains/tron/contract.ts',
    find: "const isTransfer = type === TRANSFER && url.endsWith('/protocol.TransferContract')",
    replace:
      'const asset = type === 2n ? messageOf(parameter, 2) : null; ' +
      "if (asset !== null && Buffer.from(bytesOf(asset, 1)).toString() === 'TRX') return { " +
      "kind: 'transfer', owner: hexOf(bytesOf(asset, 2)), to: hexOf(bytesOf(asset, 3)), " +
      'amount: integerOf(asset, 4) }; ' +
      "const isTransfer = type === TRANSFER && url.endsWith('/protocol.TransferContract')",
  },
  {
    name: 'coins of miners at once',
    listed: 'coinbase early',
    file: 'chains/bitcoin/block.ts',
    find: '...(isCoinbase ? { lockedFor: COINBASE_LOCK } : {}),',
    replace: '',
  },
  {
    name: 'change is money from outside',
    listed: 'change as deposit',
    families: ['bitcoin'],
    file: 'deposits/match.ts',
    find: "entry.paymentModel === 'utxo' && purpose === 'settlement' && own?.orgId === orgId",
    replace: 'false',
    also: [
      {
        file: 'scanner/record-blocks.ts',
        find: 'await dropChange(tx, { entry, fundings: detected.fundings })',
        replace: '',
      },
    ],
  },
]

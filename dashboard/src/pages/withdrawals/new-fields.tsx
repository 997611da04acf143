import type { Token } from '@sluice/client'
import { formatAmount, formatBaseUnits } from '../../data/amounts.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { useAvailable } from '../../data/withdrawals.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { baseUnitsOf, type Draft } from './draft.ts'
import { memoKindOf } from './memo.ts'

interface FieldProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  error: string | undefined
}

/** The chain; the token of another chain is given up. */
export function ChainField({ draft, set, error }: FieldProps) {
  const chains = [...useChains().values()].filter(({ enabled }) => enabled)
  return (
    <SelectField
      label={t('payment.network')}
      error={error}
      value={draft.chainId}
      onChange={(event) => set({ chainId: event.target.value, tokenId: '', amount: '' })}
      options={[
        ['', t('newWithdrawal.choose')],
        ...chains.map(({ id, name }) => [id, name] as const),
      ]}
    />
  )
}

/** A token of the chain. */
export function TokenField({ draft, set, error }: FieldProps) {
  const tokens = [...useTokens().values()].filter(
    ({ enabled, chainId }) => enabled && chainId === draft.chainId,
  )
  return (
    <SelectField
      label={t('payment.token')}
      error={error}
      value={draft.tokenId}
      disabled={draft.chainId === ''}
      onChange={(event) => set({ tokenId: event.target.value })}
      options={[
        ['', t(draft.chainId === '' ? 'newWithdrawal.chainFirst' : 'newWithdrawal.choose')],
        ...tokens.map(({ id, symbol, name }) => [id, `${symbol} · ${name}`] as const),
      ]}
    />
  )
}

/** The amount in whole tokens; its base units and the balance are below its label. */
export function AmountField({
  draft,
  set,
  error,
  token,
}: FieldProps & { token: Token | undefined }) {
  const { data: available } = useAvailable(draft.tokenId)
  const baseUnits = token === undefined ? null : baseUnitsOf(draft.amount, token.decimals)
  const hints = [
    token !== undefined &&
      available !== undefined &&
      t('newWithdrawal.available', { amount: formatAmount(available, token) }),
    baseUnits !== null &&
      token !== undefined &&
      t('newWithdrawal.exactly', {
        amount: formatAmount(baseUnits, token),
        baseUnits: formatBaseUnits(baseUnits),
      }),
  ]
  return (
    <TextField
      label={
        token === undefined
          ? t('payment.amount')
          : t('newWithdrawal.amountIn', { symbol: token.symbol })
      }
      hint={hints.filter((hint) => hint !== false).join(' ') || t('newWithdrawal.hint.amount')}
      error={error}
      value={draft.amount}
      onChange={(event) => set({ amount: event.target.value })}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

/** The memo, named as its chain names it. */
export function MemoField({ draft, set, error }: FieldProps) {
  const carries = useChains().get(draft.chainId)?.properties.carriesMemo
  const kind = memoKindOf(draft.chainId, carries)
  return (
    <TextField
      label={t(`payment.memo.${kind}.label`)}
      hint={t(`newWithdrawal.hint.${kind}`)}
      error={error}
      value={draft.memo}
      onChange={(event) => set({ memo: event.target.value })}
      inputMode={kind === 'tag' ? 'numeric' : 'text'}
      maxLength={64}
      autoComplete="off"
    />
  )
}

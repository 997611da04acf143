import { useTokens } from '../../data/catalogue.ts'
import { formatBaseUnits } from '../../data/amounts.ts'
import { Amount } from '../../parts/amount.tsx'
import { t } from '../../text/text.ts'

/** An amount of a token; in base units until the token is known. */
export function TokenAmount({ tokenId, amount }: { tokenId: string; amount: string }) {
  const token = useTokens().get(tokenId)
  if (token === undefined) return t('amount.baseUnits', { amount: formatBaseUnits(amount) })
  return <Amount baseUnits={amount} unit={token} />
}

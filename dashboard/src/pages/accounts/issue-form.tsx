import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { issueAddress } from '../../data/accounts.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { userHref } from '../../data/user-path.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Failure, messageOf } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'

interface IssueFormProps {
  userId?: string
  taken: readonly string[]
  onClose: () => void
}

/** Issues the address of an end user on a chain, and opens the page of the end user. */
export function IssueForm({ onClose, userId: fixed, taken }: IssueFormProps) {
  const [userId, setUserId] = useState(fixed ?? '')
  const [chosen, setChosen] = useState('')
  const [, navigate] = useLocation()
  const offers = useOffers(taken)
  const offer = offers.find(({ chainId }) => chainId === chosen) ?? offers[0]
  const issue = useMutation({
    mutationFn: issueAddress,
    onSuccess: ({ externalUserId }) => {
      say(t('accounts.issued', { chain: offer?.name ?? '' }))
      onClose()
      navigate(userHref(externalUserId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (issue.isPending || offer === undefined) return
    issue.mutate({ chainId: offer.chainId, tokenId: offer.tokenId, userId })
  }
  const isIdWrong = isSluiceError(issue.error, 'INVALID_USER_ID')
  if (offer === undefined) return <p>{t('accounts.everyChain')}</p>
  return (
    <Form onSubmit={submit}>
      <TextField
        label={t('record.user')}
        hint={t('accounts.userHint')}
        value={userId}
        onChange={(event) => setUserId(event.target.value)}
        readOnly={fixed !== undefined}
        error={isIdWrong ? messageOf(issue.error) : undefined}
        maxLength={255}
        autoComplete="off"
        required
      />
      <SelectField
        label={t('record.chain')}
        value={offer.chainId}
        onChange={(event) => setChosen(event.target.value)}
        options={offers.map(({ chainId, name }) => [chainId, name])}
      />
      {issue.error !== null && !isIdWrong && <Failure error={issue.error} />}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" isBusy={issue.isPending}>
          {t('accounts.issueOn', { chain: offer.name })}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Chains in use without an address yet. The token only names the chain: an address takes all. */
function useOffers(taken: readonly string[]) {
  const chains = useChains()
  return [...useTokens().values()]
    .filter(({ enabled, chainId }) => enabled && !taken.includes(chainId))
    .filter((token, index, all) => all.findIndex((one) => one.chainId === token.chainId) === index)
    .flatMap(({ id: tokenId, chainId }) => {
      const chain = chains.get(chainId)
      return chain?.enabled ? [{ chainId, tokenId, name: chain.name }] : []
    })
}

import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useChains } from '../../data/catalogue.ts'
import { chainsOfHash, readPasted, traceHref } from '../../data/pasted.ts'
import { userHref } from '../../data/user-path.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import styles from './deposits.module.css'

/** Finds a payment by its transaction, an address, or the id of a deposit. */
export function TraceBox({ text = '', chainId = '' }: { text?: string; chainId?: string }) {
  const [typed, setTyped] = useState(text)
  const [chosen, setChosen] = useState(chainId)
  const [unknown, setUnknown] = useState('')
  const [, navigate] = useLocation()
  const chains = [...useChains().values()].filter(({ enabled, id }) => enabled || id === chosen)
  const pasted = readPasted(typed)
  const offered = pasted.kind === 'hash' ? chainsOfHash(pasted.value, chains) : chains
  const isOffered = offered.some(({ id }) => id === chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { kind, value } = pasted
    const chain = isOffered ? chosen : ''
    const href = kind === 'deposit' ? `/deposits/${value}` : traceHref(pasted, chain)
    if (href === null) setUnknown(value)
    else navigate(href)
  }
  return (
    <>
      <form className={styles['trace']} onSubmit={submit} role="search" aria-label={t('trace.box')}>
        <TextField
          label={t('trace.what')}
          hint={t('trace.hint')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <SelectField
          label={t('record.chain')}
          value={isOffered ? chosen : ''}
          onChange={(event) => setChosen(event.target.value)}
          options={[
            ['', t('trace.everyChain')],
            ...offered.map(({ id, name }) => [id, name] as const),
          ]}
        />
        <Button type="submit" look="primary">
          <Icon name="search" />
          {t('trace.action')}
        </Button>
      </form>
      {unknown !== '' && unknown === pasted.value && <Unknown text={unknown} />}
    </>
  )
}

function Unknown({ text }: { text: string }) {
  return (
    <Notice tone="warning" title={t('trace.unknown')}>
      <p>{t('trace.unknownWhy')}</p>
      <LinkButton href={userHref(text)}>{t('trace.asUser')}</LinkButton>
    </Notice>
  )
}

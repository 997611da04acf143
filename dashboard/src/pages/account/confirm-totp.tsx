import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { client } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { TotpSecret } from '../../parts/totp-secret.tsx'
import { t } from '../../text/text.ts'

interface ConfirmTotpProps {
  offer: { totpSecret: string; otpauthUrl: string }
  onDone: () => void
  /** Further buttons. */
  children?: ReactNode
}

/** Shows an offered TOTP secret, and makes it the person's own with a code of it. */
export function ConfirmTotp({ offer, onDone, children }: ConfirmTotpProps) {
  const [code, setCode] = useState('')
  const confirmation = useMutation({
    mutationFn: () => client.auth.confirmTotp(code),
    onSuccess: onDone,
    onError: () => setCode(''),
  })
  const isWrong = isSluiceError(confirmation.error, 'INVALID_TOTP')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirmation.isPending) confirmation.mutate()
  }
  return (
    <Form onSubmit={submit} error={confirmation.error}>
      <TotpSecret {...offer} />
      <CodeField
        label={t('totp.newCode')}
        value={code}
        onChange={setCode}
        // The test codes of the sandbox are those of the previous secret.
        username=""
        error={isWrong ? t('totp.wrongNew') : undefined}
      />
      {confirmation.error !== null && !isWrong && <Failure error={confirmation.error} />}
      <FormActions>
        {children}
        <Button type="submit" look="primary" isBusy={confirmation.isPending}>
          {t('totp.confirm')}
        </Button>
      </FormActions>
    </Form>
  )
}

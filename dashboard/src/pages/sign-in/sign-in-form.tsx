import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { openClient, queries } from '../../data/client.ts'
import { openSession } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Failure, messageOf } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'

/**
 * Signs a person in with password and one-time code. `username` is fixed if an expired session
 * continues: another person must not take over the open page.
 */
export function SignInForm({ username: fixed }: { username?: string }) {
  const [username, setUsername] = useState(fixed ?? '')
  const [password, setPassword] = useState('')
  const [totpCode, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: async () => {
      const now = Date.now()
      const token = await openClient.auth.login({ username, password, totpCode })
      return { token, now }
    },
    onSuccess: ({ token: { accessToken, expiresIn, mustEnrolTotp = false }, now }) => {
      openSession({ accessToken, expiresAt: now + expiresIn * 1000, username, mustEnrolTotp })
      void queries.invalidateQueries()
    },
    onError: () => setCode(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!signIn.isPending) signIn.mutate()
  }
  const isRefused = isSluiceError(signIn.error) && signIn.error.status === 401
  return (
    <Form onSubmit={submit}>
      <TextField
        label={t('signIn.username')}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        readOnly={fixed !== undefined}
        autoComplete="username"
        required
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        autoComplete="current-password"
        error={isRefused ? messageOf(signIn.error) : undefined}
        required
      />
      <CodeField value={totpCode} onChange={setCode} username={username} />
      {signIn.error !== null && !isRefused && <Failure error={signIn.error} />}
      <FormActions>
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          {t('signIn.action')}
        </Button>
      </FormActions>
    </Form>
  )
}

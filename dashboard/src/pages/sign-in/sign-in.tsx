import { t } from '../../text/text.ts'
import { SignInForm } from './sign-in-form.tsx'
import { Welcome } from './welcome.tsx'

/** The page before a session. */
export function SignIn() {
  return (
    <Welcome title={t('signIn.title')}>
      <SignInForm />
    </Welcome>
  )
}

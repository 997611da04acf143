import { Link } from 'wouter'
import { t } from '../../text/text.ts'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { Welcome } from './welcome.tsx'

/** The page before a session. */
export function SignIn() {
  return (
    <Welcome title={t('signIn.title')}>
      <SignInForm />
      <div className={styles['help']}>
        <p>
          {t('signIn.invited')} <Link href="/invitation">{t('signIn.invitation')}</Link>
        </p>
        <p>{t('signIn.lost')}</p>
      </div>
    </Welcome>
  )
}

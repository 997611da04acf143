import type { Chain } from '@sluice/client'
import { useState } from 'react'
import { switchChain } from '../../data/chains.ts'
import { useOf } from '../../data/decisions.ts'
import { useMay } from '../../data/profile.ts'
import { leastRole } from '../../data/roles.ts'
import { Button } from '../../parts/button.tsx'
import { Setting } from '../../parts/setting.tsx'
import { SwitchDialog } from '../../parts/switch-dialog.tsx'
import { t } from '../../text/text.ts'

/** Whether the organization uses a chain; admins switch it off and on. */
export function ChainUse({ chain }: { chain: Chain }) {
  const { id, name } = chain
  const use = useOf(chain)
  const mayConfigure = useMay('configure')
  const [isOpen, setOpen] = useState(false)
  if (use === 'offByOperator') return <p>{t('use.offByOperatorWhy')}</p>
  const isOn = use === 'on'
  const text = t(isOn ? 'use.onWhy' : 'use.offByOrganizationWhy')
  if (!mayConfigure)
    return (
      <>
        <p>{text}</p>
        <p>{t('use.needsRole', { role: leastRole('configure') })}</p>
      </>
    )
  return (
    <>
      <Setting text={text}>
        <Button look={isOn ? 'plain' : 'primary'} onClick={() => setOpen(true)}>
          {t(isOn ? 'switch.off' : 'switch.on', { name })}
        </Button>
      </Setting>
      {isOpen && (
        <SwitchDialog
          name={name}
          enabled={!isOn}
          perform={switchChain(id, !isOn)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

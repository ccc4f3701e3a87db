import { useState } from 'react'
import type { Account, WalletState } from '../messages.ts'
import { AccountSwitcher } from './AccountSwitcher.tsx'
import { Activity } from './Activity.tsx'
import { Balances } from './Balances.tsx'
import { Icon } from './Icon.tsx'
import { PayLink } from './PayLink.tsx'
import { Frame } from './parts.tsx'
import { Sites } from './Sites.tsx'
import { useText } from './useText.tsx'
import { useWorker } from './useWorker.tsx'

type Tab = 'money' | 'sites' | 'pay'

export function Home(props: { state: WalletState }) {
  const { state } = props
  const { text } = useText()
  const { ask, openSettings } = useWorker()
  const [tab, setTab] = useState<Tab>('money')
  const account = state.accounts.find(({ address }) => address === state.selected) ?? state.accounts[0]
  if (account === undefined) return null
  return (
    <Frame
      head={
        <>
          <AccountSwitcher accounts={state.accounts} account={account} />
          <button
            type="button"
            className="icon-button"
            aria-label={text('home.lock')}
            title={text('home.lock')}
            onClick={() => ask('lock', {})}
          >
            <Icon name="lock" />
          </button>
        </>
      }
      foot={
        <nav className="tabs" aria-label={text('home.tabs')}>
          {(['money', 'pay', 'sites'] as const).map((one) => (
            <button
              key={one}
              type="button"
              className="tab"
              aria-current={tab === one ? 'page' : undefined}
              onClick={() => setTab(one)}
            >
              <Icon name={icons[one]} size={20} />
              {text(`home.${one}`)}
            </button>
          ))}
          <button type="button" className="tab" onClick={openSettings}>
            <Icon name="settings" size={20} />
            {text('home.settings')}
          </button>
        </nav>
      }
    >
      <h1 className="for-ears">{text(`home.${tab}`)}</h1>
      <Content tab={tab} account={account} state={state} />
    </Frame>
  )
}

const icons = { money: 'wallet', pay: 'out', sites: 'sites' } as const

function Content(props: { tab: Tab; account: Account; state: WalletState }) {
  const { tab, account, state } = props
  const { networks, accounts } = state
  if (tab === 'sites') return <Sites accounts={accounts} networks={networks} />
  if (tab === 'pay') return <PayLink account={account} networks={networks} />
  return (
    <>
      <Balances address={account.address} networks={networks} />
      <Activity address={account.address} networks={networks} />
    </>
  )
}

import { useState } from 'react'
import type { Account, Balance, Network, WalletState } from '../messages.ts'
import { AccountSwitcher } from './AccountSwitcher.tsx'
import { Activity } from './Activity.tsx'
import { Icon } from './Icon.tsx'
import { PayLink } from './PayLink.tsx'
import { Frame } from './parts.tsx'
import { Sites } from './Sites.tsx'
import { useText } from './useText.tsx'
import { useAnswer, useWorker } from './useWorker.tsx'

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

function Balances(props: { address: Account['address']; networks: readonly Network[] }) {
  const { address, networks } = props
  const { text, usd, amount } = useText()
  const balances = useAnswer('balances', { address })
  const shown = (units: bigint | undefined) => (units === undefined ? text('balances.unread') : usd(units))
  return (
    <section aria-busy={balances === undefined} aria-label={text('balances.title')} className="stack">
      {balances?.length === 0 ? (
        <p className="empty">{text('balances.none')}</p>
      ) : (
        <div className="totals">
          <Total label={text('balances.credits')} value={balances && shown(totalOf(creditsOf(balances)))} />
          <Total label="USDC" value={balances && shown(totalOf(balances.map(({ usdc }) => usdc)))} />
        </div>
      )}
      <ul className="list">
        {balances?.map((balance) => {
          const network = networks.find(({ chainId }) => chainId === balance.chainId)
          return (
            <li key={balance.chainId}>
              <h3>{network?.name ?? balance.chainId}</h3>
              <dl className="sums">
                {balance.credits.map(({ pinId, name, amount: credits }) => (
                  <Sum key={pinId} label={text('balances.creditsAt', { name })} value={shown(credits)} />
                ))}
                {balance.usdc !== undefined && <Sum label="USDC" value={amount(balance.usdc, 6, 2)} />}
                {balance.coin !== undefined && network?.coin !== undefined && (
                  <Sum label={network.coin} value={amount(rounded(balance.coin), 18)} />
                )}
              </dl>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Total(props: { label: string; value: string | undefined }) {
  return (
    <div>
      <div className="quiet small">{props.label}</div>
      <div className="figure amount">{props.value ?? <span className="waiting" />}</div>
    </div>
  )
}

function Sum(props: { label: string; value: string }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd className="amount">{props.value}</dd>
    </>
  )
}

const creditsOf = (balances: readonly Balance[]) =>
  balances.flatMap(({ credits }) => credits.map(({ amount }) => amount))

/** Returns `undefined` if no amount could be read. */
function totalOf(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  const read = amounts.filter((one) => one !== undefined)
  return amounts.length > 0 && read.length === 0 ? undefined : read.reduce((sum, one) => sum + one, 0n)
}

/** Rounds down to four decimals, so that a balance is never shown too high. */
const rounded = (coin: bigint) => coin - (coin % 10n ** 14n)

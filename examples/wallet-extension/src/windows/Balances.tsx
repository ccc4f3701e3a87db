import type { Balance, Network, WalletState } from '../messages.ts'
import { useText } from './useText.tsx'
import { useAnswer } from './useWorker.tsx'

export function Balances(props: { address: WalletState['selected'] & string; networks: readonly Network[] }) {
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

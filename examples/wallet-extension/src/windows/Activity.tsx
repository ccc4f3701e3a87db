import { useEffect } from 'react'
import type { Network, RedeemEntry, WalletState } from '../messages.ts'
import { Icon } from './Icon.tsx'
import { useWords } from './Inspected.tsx'
import { Button, originText, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useAnswer, useWorker } from './useWorker.tsx'

const tones = {
  open: 'care',
  redeemed: 'good',
  otherAttempt: '',
  cancelled: '',
  expired: '',
  unknown: 'care',
} as const

/** Shows open permits, which can be cancelled, then all other redeems with their outcomes. */
export function Activity(props: { address: WalletState['selected'] & string; networks: readonly Network[] }) {
  const { address, networks } = props
  const { text } = useText()
  const { ask } = useWorker()
  const redeems = useAnswer('redeems', { address })
  useEffect(() => {
    // A chain that cannot be read shows as an unknown outcome.
    ask('refreshRedeems', {}).catch(() => {})
  }, [ask])
  if (redeems === undefined) return null
  const open = redeems.filter(({ outcome }) => outcome === 'open' || outcome === 'unknown')
  const closed = redeems.filter((one) => !open.includes(one))
  const items = (entries: readonly RedeemEntry[]) =>
    entries.map((entry) => <Entry key={entry.id} entry={entry} networks={networks} />)
  return (
    <>
      {open.length > 0 && (
        <section className="stack">
          <h2>{text('activity.open')}</h2>
          <p className="quiet small">{text('activity.openHint')}</p>
          <ul className="list">{items(open)}</ul>
        </section>
      )}
      <section className="stack">
        <h2>{text('activity.title')}</h2>
        {closed.length === 0 ? (
          <p className="empty">{text('activity.none')}</p>
        ) : (
          <ul className="list">{items(closed)}</ul>
        )}
      </section>
    </>
  )
}

function Entry(props: { entry: RedeemEntry; networks: readonly Network[] }) {
  const { entry, networks } = props
  const { text, time } = useText()
  const { title } = useWords(entry.inspection)
  const { ask, run, isRunning, failure } = useAction()
  const isOpen = entry.outcome === 'open' || entry.outcome === 'unknown'
  const network = networks.find(({ chainId }) => chainId === entry.chainId)?.name ?? String(entry.chainId)
  const who = entry.asker.kind === 'site' ? originText(entry.asker.origin) : text('activity.ownLink')
  return (
    <li className="entry">
      <div className="row">
        <strong className="grow">{who}</strong>
        <span className={`badge ${tones[entry.outcome]}`}>
          {text(
            entry.outcome === 'open' && entry.hash !== undefined
              ? 'outcome.sent'
              : `outcome.${entry.outcome}`,
          )}
        </span>
      </div>
      <p className="entry-title">{title}</p>
      <div className="row quiet small">
        <span className="grow">
          {network}, {time(entry.signedAt)}
          {entry.outcome === 'open' && (
            <>
              <br />
              {text('activity.validUntil', { time: time(Number(entry.validBefore) * 1_000) })}
            </>
          )}
        </span>
        {entry.explorerUrl !== undefined && (
          <a href={entry.explorerUrl} target="_blank" rel="noreferrer">
            {text('activity.explorer')} <Icon name="out" size={12} />
          </a>
        )}
        {isOpen && (
          <Button
            isSlim
            label={text('activity.cancelOf', { who })}
            isDisabled={isRunning}
            onClick={() => run(() => ask('cancelPermit', { redeemId: entry.id }))}
          >
            {text('activity.cancel')}
          </Button>
        )}
      </div>
      <Problem text={failure && text(`failure.${failure.code}`)} />
    </li>
  )
}

import type { Account, Network, Site } from '../messages.ts'
import { Button, originText, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useAnswer } from './useWorker.tsx'

export function Sites(props: { accounts: readonly Account[]; networks: readonly Network[] }) {
  const { text } = useText()
  const sites = useAnswer('sites', {})
  return (
    <section className="stack">
      <h2>{text('sites.title')}</h2>
      {sites?.length === 0 && <p className="empty">{text('sites.none')}</p>}
      {sites?.map((site) => (
        <SiteCard key={site.origin} site={site} {...props} />
      ))}
    </section>
  )
}

function SiteCard(props: { site: Site; accounts: readonly Account[]; networks: readonly Network[] }) {
  const { site, accounts, networks } = props
  const { text, time } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const allow = (allowed: readonly Account['address'][]) =>
    run(() => ask('setSiteAccounts', { origin: site.origin, accounts: allowed }))
  const network = networks.find(({ chainId }) => chainId === site.chainId)?.name ?? String(site.chainId)
  const origin = originText(site.origin)
  return (
    <article className="card">
      <div className="row">
        <h3 className="grow site-name">
          <bdi dir="ltr">{origin}</bdi>
        </h3>
        <Button
          isSlim
          isDisabled={isRunning}
          label={text('sites.disconnectFrom', { origin })}
          onClick={() => allow([])}
        >
          {text('sites.disconnect')}
        </Button>
      </div>
      <p className="quiet small">
        {network}, {text('sites.used', { time: time(site.lastUsedAt) })}
      </p>
      <ul className="chips">
        {site.accounts.map((address) => {
          const name = accounts.find((one) => one.address === address)?.name ?? address
          return (
            <li key={address} className="badge">
              {name}
              {site.accounts.length > 1 && (
                <button
                  type="button"
                  aria-label={text('sites.remove', { name, origin })}
                  onClick={() => allow(site.accounts.filter((one) => one !== address))}
                >
                  ×
                </button>
              )}
            </li>
          )
        })}
      </ul>
      <Problem text={failure && text(`failure.${failure.code}`)} />
    </article>
  )
}

import { useState } from 'react'
import { formatUsd } from 'redeemkit'
import { BuyPack } from '../card/BuyPack.tsx'
import { creditPacks } from '../catalogue/creditPacks.ts'
import { PageTitle } from '../layout/PageTitle.tsx'
import { MembersOnly } from '../wallet/MembersOnly.tsx'

/** Buys credits by card. */
export function CreditsPage({ onConnect }: { onConnect: () => void }) {
  const [packId, choosePack] = useState<string>('evening')
  const pack = creditPacks.find(({ id }) => id === packId)
  return (
    <div className="columns">
      <div>
        <PageTitle title="Buy credits" />
        <p className="lead">
          Dollars at Lampfall, in your wallet. They do not expire, and nobody but you can spend them.
        </p>
        <fieldset className="section-tight">
          <legend>How much</legend>
          <div className="choices choices-row">
            {creditPacks.map(({ id, cents, note }) => (
              <label key={id} className="choice">
                <input
                  type="radio"
                  name="pack"
                  value={id}
                  checked={id === packId}
                  onChange={() => choosePack(id)}
                />
                <span className="choice-amount money">{formatUsd({ cents })}</span>
                <span className="quiet">{note}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <MembersOnly
        why="Credits go to a wallet. Tell us which one is yours, and that it is you."
        onConnect={onConnect}
      >
        {pack && <BuyPack key={pack.id} pack={pack} />}
      </MembersOnly>
    </div>
  )
}

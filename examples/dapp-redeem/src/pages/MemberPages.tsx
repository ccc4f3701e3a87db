import { useState } from 'react'
import { formatUsd } from 'redeemkit'
import { Plate } from '../art/Moth.tsx'
import { BuyPack } from '../card/BuyPack.tsx'
import { Plans } from '../card/Plans.tsx'
import { creditPacks } from '../catalogue.ts'
import { PageTitle } from '../Layout.tsx'
import { MembersOnly } from '../wallet/SignIn.tsx'

export function SocietyPage({ onConnect }: { onConnect: () => void }) {
  return (
    <div className="columns">
      <div>
        <PageTitle title="The Lamp Society" />
        <p className="lead">
          For people who leave a light on. Members pay by card each month, and can cancel at any time.
        </p>
        <div className="plate-row">
          {[4, 1, 6].map((species) => (
            <Plate key={species} species={species} serial={12} />
          ))}
        </div>
      </div>
      <MembersOnly why="Sign in with the wallet that the membership belongs to." onConnect={onConnect}>
        <Plans />
      </MembersOnly>
    </div>
  )
}

export function CreditsPage({ onConnect }: { onConnect: () => void }) {
  const [packId, choosePack] = useState<string>('evening')
  const pack = creditPacks.find(({ id }) => id === packId)
  return (
    <div className="columns">
      <div>
        <PageTitle title="Buy credits" />
        <p className="lead">
          Credits are dollars that you can spend at Lampfall. They are in your wallet, do not expire, and only
          you can spend them.
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
      <MembersOnly why="Sign in with the wallet that receives the credits." onConnect={onConnect}>
        {pack && <BuyPack key={pack.id} pack={pack} />}
      </MembersOnly>
    </div>
  )
}

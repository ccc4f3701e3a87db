import { Plate } from '../art/Plate.tsx'
import { Plans } from '../card/Plans.tsx'
import { PageTitle } from '../layout/PageTitle.tsx'
import { MembersOnly } from '../wallet/MembersOnly.tsx'

/** Subscribes to a plan. */
export function SocietyPage({ onConnect }: { onConnect: () => void }) {
  return (
    <div className="columns">
      <div>
        <PageTitle title="The Lamp Society" />
        <p className="lead">
          For people who leave a light on. Members pay by card each month, and may leave whenever they like.
        </p>
        <div className="plate-row">
          {[4, 1, 6].map((species) => (
            <Plate key={species} species={species} serial={12} />
          ))}
        </div>
      </div>
      <MembersOnly
        why="A membership belongs to a wallet. Tell us which one is yours, and that it is you."
        onConnect={onConnect}
      >
        <Plans />
      </MembersOnly>
    </div>
  )
}

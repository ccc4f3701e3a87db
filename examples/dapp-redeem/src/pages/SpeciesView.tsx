import { Plate } from '../art/Plate.tsx'
import type { Species } from '../catalogue/species.ts'
import { PageTitle } from '../layout/PageTitle.tsx'

/** One species, large: the specimen that is next. */
export function SpeciesView({ species, sold }: { species: Species; sold: number | undefined }) {
  const { number, name, latin, story, habits, edition } = species
  return (
    <div>
      <div className="big-plate">
        <Plate species={number} serial={(sold ?? 0) + 1} />
      </div>
      <div className="section-tight">
        <PageTitle title={name} />
        <p className="latin quiet big-latin">{latin}</p>
        <p className="story">{story}</p>
        <dl className="facts">
          <dt>Habits</dt>
          <dd>{habits}</dd>
          <dt>Edition</dt>
          <dd>
            {sold === undefined
              ? `${edition} specimens`
              : `${edition - sold} of ${edition} left; number ${sold + 1} is next`}
          </dd>
          <dt>Yours</dt>
          <dd>An NFT in your wallet, drawn from its own number</dd>
        </dl>
      </div>
    </div>
  )
}

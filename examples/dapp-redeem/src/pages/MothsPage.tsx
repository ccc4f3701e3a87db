import { formatUsd } from 'redeemkit'
import { Moth, Plate } from '../art/Moth.tsx'
import { allSpecies } from '../catalogue.ts'
import { PageTitle } from '../Layout.tsx'
import { hrefOf } from '../routes.ts'

export function MothsPage() {
  return (
    <>
      <section className="hero">
        <div>
          <PageTitle title="Moths that never were" />
          <p className="lead">
            Six species, drawn by code. Each specimen’s number decides its marks, so yours is the only one of
            its kind.
          </p>
          <a className="button" href={hrefOf({ page: 'moth', slug: 'moon-ferry', orderId: undefined })}>
            Meet the Moon Ferry
          </a>
        </div>
        <div className="hero-moth">
          <Moth species={2} serial={11} title="A Moon Ferry: pale green wings with long tails" />
        </div>
      </section>
      <section className="section" aria-labelledby="catalogue">
        <div className="section-head">
          <h2 id="catalogue">Out tonight</h2>
          <p className="quiet">Pay with credits, with USDC, or with both.</p>
        </div>
        <ul className="grid">
          {allSpecies.map(({ number, slug, name, latin, cents, edition }) => (
            <li key={slug} className="specimen">
              <Plate species={number} serial={1} />
              <div className="specimen-label">
                <h3>
                  <a href={hrefOf({ page: 'moth', slug, orderId: undefined })}>{name}</a>
                </h3>
                <span className="money">{formatUsd({ cents })}</span>
                <span className="latin quiet">{latin}</span>
                <span className="quiet">{edition} in all</span>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

import { useConnection, useReadContract } from 'wagmi'
import { Plate } from '../art/Moth.tsx'
import { cabinetAbi, serialOf, speciesOfSpecimen } from '../catalogue.ts'
import { useShop } from '../config.tsx'
import { PageTitle } from '../Layout.tsx'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes.ts'

/** Reads the connected wallet's moths from the contract. */
export function CabinetPage({ onConnect }: { onConnect: () => void }) {
  const { cabinet } = useShop()
  const { address } = useConnection()
  const owned = useReadContract({
    address: cabinet,
    abi: cabinetAbi,
    functionName: 'specimensOf',
    args: address && [address],
    query: { enabled: address !== undefined, refetchOnMount: 'always' },
  })
  return (
    <>
      <PageTitle title="My cabinet" />
      {address === undefined ? (
        <Empty text="Connect a wallet to see its moths.">
          <button type="button" className="button" onClick={onConnect}>
            Connect a wallet
          </button>
        </Empty>
      ) : owned.error ? (
        <div className="section">
          <Problem
            title="Your moths cannot be shown."
            onTryAgain={() => owned.refetch()}
            error={owned.error}
          />
        </div>
      ) : owned.data === undefined ? (
        <p className="lead" role="status">
          Opening the drawers…
        </p>
      ) : owned.data.length === 0 ? (
        <Empty text="You have no moths yet.">
          <a className="button" href={hrefOf({ page: 'moths' })}>
            See tonight’s moths
          </a>
        </Empty>
      ) : (
        <Specimens ids={owned.data} />
      )}
    </>
  )
}

function Specimens({ ids }: { ids: readonly bigint[] }) {
  return (
    <>
      <p className="lead">
        {ids.length === 1 ? 'Your wallet holds one specimen.' : `Your wallet holds ${ids.length} specimens.`}
      </p>
      <ul className="grid section">
        {[...ids].reverse().map((id) => {
          const species = speciesOfSpecimen(id)
          if (species === undefined) return null
          return (
            <li key={`${id}`} className="specimen">
              <Plate
                species={species.number}
                serial={serialOf(id)}
                title={`${species.name}, number ${serialOf(id)}`}
              />
              <div className="specimen-label">
                <h2 className="specimen-name">{species.name}</h2>
                <span className="quiet money">
                  {serialOf(id)} / {species.edition}
                </span>
                <span className="latin quiet">{species.latin}</span>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Empty({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className="empty section">
      <Plate species={6} />
      <p>{text}</p>
      {children}
    </div>
  )
}

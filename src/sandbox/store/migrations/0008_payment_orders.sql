DROP TABLE "landed_returns" CASCADE;--> statement-breakpoint
-- Transactions of an earlier contract, which nothing is waiting for any more.
UPDATE "transactions" SET "reference" = jsonb_build_object('kind', 'gone', 'id', "id", 'was', "reference") WHERE "reference"->>'kind' = 'landedReturn';
CREATE TABLE "usdc_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"destination" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"payment_id" text,
	"sponsor" text NOT NULL,
	"prepared" text NOT NULL,
	"status" text NOT NULL,
	"raw" text,
	"hash" text,
	"error" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "usdc_transfers_one_per_payment" ON "usdc_transfers" USING btree ("blockchain","wallet","payment_id") WHERE status in ('journalled', 'settled');--> statement-breakpoint
CREATE UNIQUE INDEX "usdc_transfers_one_per_hash" ON "usdc_transfers" USING btree ("blockchain","hash");--> statement-breakpoint
CREATE INDEX "usdc_transfers_by_sponsor" ON "usdc_transfers" USING btree ("blockchain","sponsor","status");
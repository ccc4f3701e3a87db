ALTER TABLE "card_tokens" ADD COLUMN "purchase_id" text;--> statement-breakpoint
ALTER TABLE "card_tokens" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "card_tokens" ADD COLUMN "wallet" text;--> statement-breakpoint
ALTER TABLE "card_tokens" ADD COLUMN "blockchain" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "purchase_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "purchase_hash" text;--> statement-breakpoint
CREATE INDEX "payments_by_purchase" ON "payments" USING btree ("merchant_id","purchase_id");
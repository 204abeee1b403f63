-- As scripts were written for Flink 1.9: connectors by their old options.
SET parallelism.default = 3;
CREATE TABLE bids (auction BIGINT, bidder BIGINT) WITH (
  'connector.type' = 'filesystem', 'connector.path' = '/nowhere/bids', 'format.type' = 'csv',
  'format.fields.0.name' = 'auction', 'format.fields.0.type' = 'BIGINT',
  'format.fields.1.name' = 'bidder', 'format.fields.1.type' = 'BIGINT');
CREATE TABLE counts (bidder BIGINT, n BIGINT) WITH (
  'connector.type' = 'filesystem', 'connector.path' = '/nowhere/counts', 'format.type' = 'csv',
  'format.fields.0.name' = 'bidder', 'format.fields.0.type' = 'BIGINT',
  'format.fields.1.name' = 'n', 'format.fields.1.type' = 'BIGINT');
CREATE VIEW pairs AS SELECT bidder, auction FROM bids;
INSERT INTO counts SELECT bidder, auction FROM pairs WHERE auction > 10;
SET execution.runtime-mode = batch;
INSERT INTO counts SELECT bidder, COUNT(*) FROM pairs GROUP BY bidder;

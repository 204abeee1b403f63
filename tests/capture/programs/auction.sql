-- Bids of an auction; a semicolon in a comment, 'and a quote
SET 'parallelism.default' = '3';
SET 'pipeline.name' = 'dear; and dearest';
CREATE TABLE bids (auction BIGINT, bidder BIGINT, price BIGINT, at_time TIMESTAMP(3), WATERMARK FOR at_time AS at_time - INTERVAL '1' SECOND)
WITH ('connector' = 'datagen', 'number-of-rows' = '100');
CREATE TABLE highest (auction BIGINT, price BIGINT, PRIMARY KEY (auction) NOT ENFORCED) WITH ('connector' = 'blackhole');
CREATE TABLE counts (bidder BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
CREATE VIEW dear AS SELECT * FROM bids WHERE price > 100;
INSERT INTO highest SELECT auction, MAX(price) FROM dear GROUP BY auction;
RESET 'pipeline.name';
EXECUTE STATEMENT SET BEGIN
INSERT INTO highest SELECT auction, MAX(price) FROM bids GROUP BY auction;
INSERT INTO counts SELECT bidder, COUNT(*) FROM bids GROUP BY bidder;
END;
SET 'execution.runtime-mode' = 'batch';
INSERT INTO counts SELECT a.bidder, COUNT(*) FROM bids a JOIN dear b ON a.auction = b.auction GROUP BY a.bidder;
SELECT auction, price FROM bids;
CREATE TABLE copied WITH ('connector' = 'print') AS SELECT bidder, price FROM dear;
SET 'parallelism.default' = '2';
INSERT INTO copied SELECT bidder, price FROM bids;

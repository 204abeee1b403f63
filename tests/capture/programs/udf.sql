SET 'python.files' = '{folder}';
CREATE TEMPORARY FUNCTION doubled AS 'functions.doubled' LANGUAGE PYTHON;
CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE results (n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO results SELECT doubled(n) FROM numbers;

"""Steps between a command and running tasks, one row each.

A row's call is the class and the method of Flink that do the step, by the release from which on
they do; a test asks the jars of every release whether they have them. ``{...}`` in a sentence is
one of the job's own numbers.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

Mode: TypeAlias = Literal["session", "application", "per-job"]
Cluster: TypeAlias = Literal["standalone", "YARN", "Kubernetes"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
CLUSTERS: Final[tuple[Cluster, ...]] = get_args(Cluster)
SESSION, APPLICATION, PER_JOB = MODES
STANDALONE, YARN, KUBERNETES = CLUSTERS


class SubmissionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A step, and the routes that have it."""

    who: tuple[str] | tuple[str, str]
    """The actor; and whom the call is sent to, where the actor does not execute the step itself."""
    call: str | Mapping[str, str]
    """``package.Class#method`` under ``org.apache.flink``, or by release; empty: no such step."""
    title: str
    sentence: str
    makes: str | None = None
    only: tuple[str, ...] = ()
    """The modes and the clusters that have it; every mode, every cluster where none is named."""
    starts_task_manager: bool = False

    def is_of(self, mode: str, cluster: str) -> bool:
        """Whether this route has the step, in a release that has it."""
        pair = (mode, MODES), (cluster, CLUSTERS)
        return all(item in self.only or set(every).isdisjoint(self.only) for item, every in pair)


_START: Final = (
    SubmissionRow(
        who=("administrator", "job manager"),
        call="runtime.entrypoint.StandaloneSessionClusterEntrypoint#main",
        title="the session cluster is started",
        sentence="Long before the job, start-cluster.sh starts the job manager's process with "
        "{job_process}: in it a dispatcher, a resource manager and a REST endpoint wait for jobs.",
        only=(SESSION, STANDALONE),
    ),
    SubmissionRow(
        who=("client", "YARN"),
        call={
            "1.9": "yarn.AbstractYarnClusterDescriptor#startAppMaster",
            "1.10": "yarn.YarnClusterDescriptor#deploySessionCluster",
        },
        title="the session cluster is asked of YARN",
        sentence="Long before the job, yarn-session.sh uploads Flink's jars and asks YARN for an "
        "application master of {job_process}.",
        only=(SESSION, YARN),
    ),
    SubmissionRow(
        who=("YARN", "job manager"),
        call="yarn.entrypoint.YarnSessionClusterEntrypoint#main",
        title="YARN starts the job manager",
        sentence="YARN starts the application master's container. Its process is the job manager: "
        "a dispatcher, a resource manager that requests containers from YARN, and a REST endpoint.",
        only=(SESSION, YARN),
    ),
    SubmissionRow(
        who=("client", "Kubernetes"),
        call={"1.10": "kubernetes.KubernetesClusterDescriptor#deploySessionCluster"},
        title="the session cluster is requested from Kubernetes",
        sentence="Long before the job, kubernetes-session.sh creates a deployment; its pod has "
        "{job_process}, and a service before it.",
        only=(SESSION, KUBERNETES),
    ),
    SubmissionRow(
        who=("Kubernetes", "job manager"),
        call={"1.10": "kubernetes.entrypoint.KubernetesSessionClusterEntrypoint#main"},
        title="Kubernetes starts the job manager",
        sentence="The pod's process is the job manager: a dispatcher, a resource manager that "
        "requests pods from Kubernetes, and a REST endpoint.",
        only=(SESSION, KUBERNETES),
    ),
)
"""A session cluster is there before its jobs."""

_APPLICATION: Final = (
    SubmissionRow(
        who=("administrator", "job manager"),
        call={"1.11": "container.entrypoint.StandaloneApplicationClusterEntryPoint#main"},
        title="the job manager is started with the program",
        sentence="standalone-job.sh starts the job manager's process with {job_process}; the "
        "program's jar is on its class path, so there is no client.",
        only=(APPLICATION, STANDALONE),
    ),
    SubmissionRow(
        who=("client",),
        call={"1.11": "client.cli.CliFrontend#runApplication", "2.0": "client.cli.CliFrontend#run"},
        title="the client reads the command",
        sentence="The client reads which jar, class and arguments the job {job} has. It does not "
        "run the program.",
        only=(APPLICATION, YARN, KUBERNETES),
    ),
    SubmissionRow(
        who=("client",),
        call={"1.11": "client.deployment.application.cli.ApplicationClusterDeployer#run"},
        title="the client asks for a cluster of the job's own",
        sentence="It looks for the cluster descriptor of {cluster} and gives it the program's "
        "configuration.",
        only=(APPLICATION, YARN, KUBERNETES),
    ),
    SubmissionRow(
        who=("client", "YARN"),
        call={"1.11": "yarn.YarnClusterDescriptor#deployApplicationCluster"},
        title="an application master is asked of YARN",
        sentence="Flink's jars and the program's are uploaded, and YARN is asked for an "
        "application master of {job_process}. With that the client is done.",
        only=(APPLICATION, YARN),
    ),
    SubmissionRow(
        who=("YARN", "job manager"),
        call={"1.11": "yarn.entrypoint.YarnApplicationClusterEntryPoint#main"},
        title="YARN starts the job manager",
        sentence="The application master's process is the job manager, and also runs the program.",
        only=(APPLICATION, YARN),
    ),
    SubmissionRow(
        who=("client", "Kubernetes"),
        call={"1.11": "kubernetes.KubernetesClusterDescriptor#deployApplicationCluster"},
        title="a deployment is requested from Kubernetes",
        sentence="A deployment with a pod of {job_process} is created; its image holds the "
        "program. With that the client is done.",
        only=(APPLICATION, KUBERNETES),
    ),
    SubmissionRow(
        who=("Kubernetes", "job manager"),
        call={"1.11": "kubernetes.entrypoint.KubernetesApplicationClusterEntrypoint#main"},
        title="Kubernetes starts the job manager",
        sentence="The pod's process is the job manager, and also runs the program.",
        only=(APPLICATION, KUBERNETES),
    ),
)

_PROGRAM: Final = (
    SubmissionRow(
        who=("client",),
        call="client.cli.CliFrontend#run",
        title="the client reads the command",
        sentence="flink run reads which jar, class and arguments the job {job} has, and where the "
        "cluster is.",
        only=(SESSION, PER_JOB),
    ),
    SubmissionRow(
        who=("client",),
        call={
            "1.9": "client.program.ClusterClient#run",
            "1.10": "client.ClientUtils#executeProgram",
        },
        title="main() runs in the client",
        sentence="The program's main() is called in the client's own process: what it reads, it "
        "reads there.",
        only=(SESSION, PER_JOB),
    ),
    SubmissionRow(
        who=("job manager",),
        call={
            "1.11": "client.deployment.application.ApplicationDispatcherBootstrap"
            "#runApplicationEntryPoint",
            "2.3": "client.deployment.application.PackagedProgramApplication#execute",
        },
        title="main() runs in the job manager",
        sentence="The program's main() is called in the job manager's process: what it reads, it "
        "reads there.",
        only=(APPLICATION,),
    ),
    SubmissionRow(
        who=("{translator}",),
        call="streaming.api.graph.StreamGraphGenerator#generate",
        title="the program becomes a StreamGraph",
        sentence="execute() makes a StreamGraph of what main() declared: {operators} and "
        "{stream_edges}.",
        makes="StreamGraph",
    ),
    SubmissionRow(
        who=("{translator}",),
        call={"1.9": "streaming.api.graph.StreamingJobGraphGenerator#createJobGraph", "2.0": ""},
        title="the StreamGraph becomes a JobGraph",
        sentence="Still in the {translator}'s process {chained} are chained: the JobGraph has "
        "{tasks} and {job_edges}, and what is sent from here on is this.",
        makes="JobGraph",
    ),
    SubmissionRow(
        who=("client", "YARN"),
        call={"1.9": "yarn.YarnClusterDescriptor#deployJobCluster", "2.0": ""},
        title="a cluster for this one job is asked of YARN",
        sentence="The {plan} is written to a file and uploaded with the jars; YARN is asked for an "
        "application master of {job_process}.",
        only=(PER_JOB,),
    ),
    SubmissionRow(
        who=("YARN", "job manager"),
        call={"1.9": "yarn.entrypoint.YarnJobClusterEntrypoint#main", "2.0": ""},
        title="YARN starts the job manager",
        sentence="The application master's process is the job manager. It will end with the job.",
        only=(PER_JOB,),
    ),
    SubmissionRow(
        who=("dispatcher",),
        call={
            "1.9": "runtime.entrypoint.component.FileJobGraphRetriever#retrieveJobGraph",
            "2.0": "",
        },
        title="the dispatcher finds its job",
        sentence="The dispatcher of such a cluster reads the {plan} from the file that came with "
        "it: nothing is submitted.",
        only=(PER_JOB,),
    ),
    SubmissionRow(
        who=("client", "dispatcher"),
        call="client.program.rest.RestClusterClient#submitJob",
        title="the client sends the {plan}",
        sentence="The {plan} and the program's jars are sent to the REST endpoint of the job "
        "manager.",
        only=(SESSION,),
    ),
    SubmissionRow(
        who=("job manager", "dispatcher"),
        call="runtime.rest.handler.job.JobSubmitHandler#handleRequest",
        title="the REST endpoint takes it in",
        sentence="The handler stores the jars in the blob server, where task managers will fetch "
        "them, and hands the {plan} on.",
        only=(SESSION,),
    ),
    SubmissionRow(
        who=("job manager", "dispatcher"),
        call={"1.11": "client.deployment.application.executors.EmbeddedExecutor#submitJob"},
        title="the {plan} is handed over in the process",
        sentence="The executor of execute() passes the {plan} to the dispatcher of the same "
        "process, without a REST call.",
        only=(APPLICATION,),
    ),
)

_JOB: Final = (
    SubmissionRow(
        who=("dispatcher",),
        call="runtime.dispatcher.Dispatcher#submitJob",
        title="the dispatcher accepts the job",
        sentence="It refuses a job ID that it knows already, and stores the {plan} of {job} so "
        "that another job manager could take over.",
        only=(SESSION, APPLICATION),
    ),
    SubmissionRow(
        who=("dispatcher", "job master"),
        call={
            "1.9": "runtime.dispatcher.Dispatcher#createJobManagerRunner",
            "1.15": "runtime.dispatcher.Dispatcher#createJobMasterRunner",
        },
        title="the dispatcher creates a runner for the job",
        sentence="Each job has a job master of its own. A runner waits for leadership, then "
        "creates the job master.",
    ),
    SubmissionRow(
        who=("job master",),
        call="runtime.jobmaster.factories.DefaultJobMasterServiceFactory#createJobMasterService",
        title="the job master is made",
        sentence="The job master of {job} is made: it will run this job and no other.",
    ),
    SubmissionRow(
        who=("job master",),
        call={"2.0": "runtime.scheduler.DefaultSchedulerFactory#createInstance"},
        title="the StreamGraph becomes a JobGraph",
        sentence="Only here, in the job manager, {chained} are chained: the JobGraph has {tasks} "
        "and {job_edges}. A batch job's is made piece by piece while it runs.",
        makes="JobGraph",
    ),
    SubmissionRow(
        who=("job master",),
        call={
            "1.9": "runtime.executiongraph.ExecutionGraphBuilder#buildGraph",
            "1.13": "runtime.executiongraph.DefaultExecutionGraphBuilder#buildGraph",
        },
        title="the JobGraph becomes an ExecutionGraph",
        sentence="{tasks} become {subtasks} with {partitions} and {channels} between them.",
        makes="ExecutionGraph",
    ),
    SubmissionRow(
        who=("job master", "resource manager"),
        call={
            "1.9": "runtime.resourcemanager.ResourceManager#registerJobManager",
            "1.15": "runtime.resourcemanager.ResourceManager#registerJobMaster",
        },
        title="the job master registers",
        sentence="The job master makes itself known to the cluster's resource manager, and both "
        "send heartbeats from now on.",
    ),
)

_SLOTS: Final = (
    SubmissionRow(
        who=("job master",),
        call={
            "1.9": "runtime.executiongraph.ExecutionGraph#scheduleForExecution",
            "1.10": "runtime.scheduler.strategy.EagerSchedulingStrategy#startScheduling",
            "1.12": "runtime.scheduler.strategy.PipelinedRegionSchedulingStrategy#startScheduling",
        },
        title="scheduling starts",
        sentence="The scheduler looks for subtasks that can run: those of a streaming job all "
        "start at once, {subtasks}.",
    ),
    SubmissionRow(
        who=("job master",),
        call={
            "1.9": "runtime.jobmaster.slotpool.SchedulerImpl#allocateSlot",
            "1.12": "runtime.scheduler.SlotSharingExecutionSlotAllocator#allocateSlotsFor",
        },
        title="subtasks are put together into slots",
        sentence="{groups}: the {subtasks} share {slots}, a slot taking one subtask of each task "
        "of its group.",
    ),
    SubmissionRow(
        who=("job master",),
        call={
            "1.9": "runtime.jobmaster.slotpool.SlotPoolImpl#requestNewAllocatedSlot",
            "1.13": "runtime.jobmaster.slotpool.DeclarativeSlotPoolBridge#requestNewAllocatedSlot",
        },
        title="the slot pool is empty",
        sentence="The job's slot pool is empty, so each of the {slots} is a request that waits.",
    ),
    SubmissionRow(
        who=("job master", "resource manager"),
        call={
            "1.9": "runtime.resourcemanager.ResourceManager#requestSlot",
            "1.13": "runtime.resourcemanager.ResourceManager#declareRequiredResources",
        },
        title="slots are requested from the resource manager",
        sentence="The resource manager receives the requirement of {slots}.",
    ),
    SubmissionRow(
        who=("resource manager",),
        call={
            "1.9": "runtime.resourcemanager.slotmanager.SlotManager#registerSlotRequest",
            "1.13": "runtime.resourcemanager.slotmanager.SlotManager#processResourceRequirements",
        },
        title="the slot manager looks for free slots",
        sentence="The slot manager compares {slots} with those that task managers have free. At "
        "{offered} each, {task_managers} are needed.",
    ),
    SubmissionRow(
        who=("resource manager", "YARN"),
        call={
            "1.9": "yarn.YarnResourceManager#startNewWorker",
            "1.12": "yarn.YarnResourceManagerDriver#requestResource",
        },
        title="containers are asked of YARN",
        sentence="{task_managers} of {task_process} each are asked of YARN as containers.",
        only=(YARN,),
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("resource manager", "Kubernetes"),
        call={
            "1.10": "kubernetes.KubernetesResourceManager#startNewWorker",
            "1.12": "kubernetes.KubernetesResourceManagerDriver#requestResource",
        },
        title="pods are requested from Kubernetes",
        sentence="{task_managers} of {task_process} each are requested from Kubernetes as pods.",
        only=(KUBERNETES,),
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("administrator", "task executor"),
        call="runtime.taskexecutor.TaskManagerRunner#main",
        title="task managers are started",
        sentence="The administrator starts the task managers of a standalone cluster, each of "
        "{task_process}. This job needs {task_managers} of them.",
        only=(STANDALONE,),
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("YARN", "task executor"),
        call="yarn.YarnTaskExecutorRunner#main",
        title="YARN starts task managers",
        sentence="Each container's process is a task manager with {offered}.",
        only=(YARN,),
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("Kubernetes", "task executor"),
        call={"1.10": "kubernetes.taskmanager.KubernetesTaskExecutorRunner#main"},
        title="Kubernetes starts task managers",
        sentence="Each pod's process is a task manager with {offered}.",
        only=(KUBERNETES,),
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("task executor", "resource manager"),
        call="runtime.resourcemanager.ResourceManager#registerTaskExecutor",
        title="task executors register",
        sentence="Each task executor makes itself known to the resource manager.",
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("task executor", "resource manager"),
        call="runtime.resourcemanager.ResourceManager#sendSlotReport",
        title="task executors report their slots",
        sentence="Each reports {offered}, all free.",
        starts_task_manager=True,
    ),
    SubmissionRow(
        who=("resource manager", "task executor"),
        call="runtime.taskexecutor.TaskExecutor#requestSlot",
        title="the resource manager names the job",
        sentence="It informs task executors which of their slots are for {job}: {slots} in all.",
    ),
    SubmissionRow(
        who=("task executor", "job master"),
        call="runtime.jobmaster.JobMaster#offerSlots",
        title="slots are offered",
        sentence="Task executors offer the {slots} to the job master; its pool fills its waiting "
        "requests with them.",
    ),
)

_TASKS: Final = (
    SubmissionRow(
        who=("job master",),
        call="runtime.executiongraph.Execution#deploy",
        title="subtasks are described",
        sentence="Once every request is filled, a deployment descriptor is made for each of the "
        "{subtasks}: its code, its state, the partitions that it reads and where they are.",
    ),
    SubmissionRow(
        who=("job master", "task executor"),
        call="runtime.taskexecutor.TaskExecutor#submitTask",
        title="subtasks are sent",
        sentence="The {subtasks} are sent to {task_managers}, each with the number of its slot.",
    ),
    SubmissionRow(
        who=("task executor",),
        call="runtime.taskmanager.Task#setupPartitionsAndGates",
        title="network buffers are allocated",
        sentence="Each subtask has a thread. First its result partitions and input gates allocate "
        "buffers: {buffers} for {channels}.{short}",
    ),
    SubmissionRow(
        who=("task executor",),
        call="streaming.runtime.tasks.StreamTask#invoke",
        title="tasks run",
        sentence="State is restored, the operators are opened from the last of the chain to the "
        "first, and records flow.",
    ),
    SubmissionRow(
        who=("task executor", "job master"),
        call="runtime.jobmaster.JobMaster#updateTaskExecutionState",
        title="the job is RUNNING",
        sentence="Every task executor reports its subtasks' states to the job master; when "
        "all {subtasks} run, checkpoints may begin.",
    ),
)

ROWS: Final = {
    "cluster": (*_START, *_APPLICATION),
    "program": _PROGRAM,
    "job": _JOB,
    "slots": _SLOTS,
    "tasks": _TASKS,
}
"""By phase, the steps in their order."""

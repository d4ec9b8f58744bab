//! The heap in a saved run. Objects keep their places, so that handles stay valid. Everything that can be rebuilt is
//! left out: tables of interned values, indexes, remembered results, the account of bytes.

use super::sound::Surroundings;
use crate::kinds::growing::Buffer;
use crate::kinds::hosted::Hosts;
use crate::kinds::text::{BUFFERS, Text};
use crate::sets::memo::Memo;
use crate::store::arena::Arena;
use crate::store::heap::{BranchValues, Heap, Serials};
use crate::value::{Kind, SAVED_LONG_TEXT, Value};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};

/// The number under which the reader knows the nodes of trees, which no value refers to.
const NODES: usize = Kind::Integer as usize;
/// The number under which it knows boards, which only their containers refer to.
const BOARDS: usize = Kind::Float as usize;

impl Saved for Heap {
    fn save(&self, out: &mut Writer) {
        let Heap {
            texts,
            buffers,
            floats,
            arrays,
            sets,
            nodes,
            relations,
            grids,
            objects,
            queues,
            functions,
            variables,
            boards,
            hosts,
            globals,
            branch:
                BranchValues {
                    spent,
                    spent_stamp,
                    rule_name,
                    rule_name_stamp,
                },
            interned: _,
            trail,
            protected,
            logs_texts: _,
            // For the present holder of texts.
            host_holds: _,
            serials:
                Serials {
                    top,
                    // The machine knows it.
                    floor: _,
                    latest,
                    sequence,
                    latest_view,
                    youngest_rooted: _,
                    failed_at,
                },
            account,
            has_views: _,
            // For the present observer; a failure clears the rest at once.
            observed: _,
            board_with_due_functions,
            has_large_boards: _,
        } = self;
        buffers.save_places(out);
        buffers.save_items(out);
        texts.save_places(out);
        floats.save_places(out);
        arrays.save_places(out);
        sets.save_places(out);
        nodes.save_places(out);
        relations.save_places(out);
        grids.save_places(out);
        objects.save_places(out);
        queues.save_places(out);
        functions.save_places(out);
        variables.save_places(out);
        hosts.places.save_places(out);
        boards.save_places(out);
        texts.save_items(out);
        floats.save_items(out);
        arrays.save_items(out);
        sets.save_items(out);
        nodes.save_items(out);
        relations.save_items(out);
        grids.save_items(out);
        objects.save_items(out);
        queues.save_items(out);
        functions.save_items(out);
        variables.save_items(out);
        hosts.places.save_items(out);
        boards.save_items(out);
        globals.save(out);
        spent.save(out);
        trail.save(out);
        protected.save(out);
        spent_stamp.save(out);
        rule_name.save(out);
        rule_name_stamp.save(out);
        top.save(out);
        latest.save(out);
        sequence.save(out);
        account.work.get().save(out);
        latest_view.save(out);
        board_with_due_functions.save(out);
        failed_at.save(out);
    }

    /// The objects alone: [`Heap::mend`] must check them and rebuild the rest.
    fn load(from: &mut Reader<'_>) -> Result<Heap, Unsound> {
        let mut buffers: Arena<Buffer> = Arena::load_places(from, BUFFERS)?;
        buffers.load_items(from)?;
        let texts: Arena<Text> = Arena::load_places(from, Kind::Text as usize)?;
        let floats = Arena::load_places(from, Kind::BoxedFloat as usize)?;
        let arrays = Arena::load_places(from, Kind::Array as usize)?;
        let sets = Arena::load_places(from, Kind::Set as usize)?;
        let nodes = Arena::load_places(from, NODES)?;
        let relations = Arena::load_places(from, Kind::Relation as usize)?;
        let grids = Arena::load_places(from, Kind::Grid as usize)?;
        let objects = Arena::load_places(from, Kind::Object as usize)?;
        let queues = Arena::load_places(from, Kind::Queue as usize)?;
        let functions = Arena::load_places(from, Kind::Function as usize)?;
        let variables = Arena::load_places(from, Kind::Variable as usize)?;
        let hosts = Arena::load_places(from, Kind::Host as usize)?;
        let boards = Arena::load_places(from, BOARDS)?;
        let mut heap = Heap {
            texts,
            buffers,
            floats,
            arrays,
            sets,
            nodes,
            relations,
            grids,
            objects,
            queues,
            functions,
            variables,
            boards,
            hosts: Hosts {
                places: hosts,
                ..Hosts::default()
            },
            ..Heap::default()
        };
        heap.texts.load_items(from)?;
        // From here on words must say of each text whether it is long.
        let (long, short) = heap.mend_texts()?;
        from.know(Kind::Text as usize, short);
        from.know(SAVED_LONG_TEXT as usize, long);
        heap.floats.load_items(from)?;
        heap.arrays.load_items(from)?;
        heap.sets.load_items(from)?;
        heap.nodes.load_items(from)?;
        heap.relations.load_items(from)?;
        heap.grids.load_items(from)?;
        heap.objects.load_items(from)?;
        heap.queues.load_items(from)?;
        heap.functions.load_items(from)?;
        heap.variables.load_items(from)?;
        heap.hosts.places.load_items(from)?;
        heap.boards.load_items(from)?;
        heap.globals = Vec::load(from)?;
        heap.branch.spent = Saved::load(from)?;
        heap.trail = Saved::load(from)?;
        heap.protected = Saved::load(from)?;
        heap.logs_texts = true;
        heap.branch.spent_stamp = Saved::load(from)?;
        heap.branch.rule_name = Saved::load(from)?;
        heap.branch.rule_name_stamp = Saved::load(from)?;
        heap.serials.top = Saved::load(from)?;
        heap.serials.latest = Saved::load(from)?;
        heap.serials.sequence = Saved::load(from)?;
        heap.account.work.set(Saved::load(from)?);
        heap.has_views = true;
        heap.serials.latest_view = Saved::load(from)?;
        heap.board_with_due_functions = Saved::load(from)?;
        heap.serials.failed_at = Saved::load(from)?;
        heap.has_large_boards = true;
        Ok(heap)
    }
}

impl Heap {
    /// Checks everything that [`Heap::load`] has read and that could be wrong, and rebuilds the parts that were not
    /// saved. The caller counts the bytes.
    ///
    /// # Errors
    /// If no run can have such a heap.
    pub fn mend(&mut self, around: &Surroundings<'_>, room: usize) -> Result<(), Unsound> {
        // Numbers that only grow, far from their limits.
        let numbers = [
            self.serials.latest,
            self.serials.sequence,
            self.account.work.get(),
            self.serials.latest_view,
            self.serials.failed_at,
        ];
        ensure(
            numbers.iter().all(|number| *number < 1 << 60),
            "a number is too large",
        )?;
        ensure(
            self.branch.spent.is_number() && self.serials.top <= self.serials.latest,
            "a number is not what it should be",
        )?;
        ensure(
            self.branch.rule_name == Value::NULL || self.branch.rule_name.is_kind(Kind::Text),
            "the name of constraints is no string",
        )?;
        let owed = self.account.work.get();
        self.check_functions(around)?;
        self.check_names()?;
        self.check_frozen()?;
        self.make_tables()?;
        self.mend_relations()?;
        self.mend_grids()?;
        self.mend_boards()?;
        let is_board = self
            .board_with_due_functions
            .is_none_or(|container| self.board_of(container).is_some());
        ensure(is_board, "something wakes that is no board")?;
        self.check_trail(around, room)?;
        self.interned.memo = Memo::default();
        // The checks compare values, but the program is not charged for that.
        self.account.work.set(owed);
        Ok(())
    }
}

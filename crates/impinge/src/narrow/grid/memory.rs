//! The memory of two bodies of any kind between queries.

use glam::DVec3;

use crate::model::Model;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::depth::union_depth::Branches;
use crate::narrow::mesh::memory::MeshMemory;
use crate::narrow::parts::parts_front::PartsFront;
use crate::narrow::parts::parts_pair::PartsWalk;

/// What is remembered between queries: where the next one starts its search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    /// Made by the first query on two meshes; a pair of convex bodies has none.
    pub(super) meshes: Option<Box<MeshMemory>>,
    pub(crate) solids: ConvexMemory,
    pub(crate) walk: PartsWalk,
    /// Made by the first query on bodies of parts.
    pub(super) front: Option<Box<PartsFront>>,
    /// Pieces that were last closest or touching.
    pub(super) pieces: Option<[u32; 2]>,
    /// The last shift that freed a mesh.
    pub(crate) shift: Option<DVec3>,
    pub(crate) branches: Branches,
}

impl Memory {
    /// For one of several threads that query at the same time: its queries start no other threads.
    pub(crate) fn one_of_many() -> Memory {
        Memory { meshes: Some(Box::new(MeshMemory::one_of_many())), ..Memory::default() }
    }

    /// As [`Memory::forget`], before item `first` of a list of queries.
    pub(crate) fn forget_at(&mut self, first: usize) {
        self.forget();
        self.of_meshes().begin_run(first);
    }

    pub(crate) fn of_meshes(&mut self) -> &mut MeshMemory {
        self.meshes.get_or_insert_default()
    }

    pub(super) fn parts_front(&mut self) -> &mut PartsFront {
        self.front.get_or_insert_default()
    }

    pub(crate) fn forget(&mut self) {
        if let Some(front) = &mut self.front {
            front.forget();
        }
        if let Some(meshes) = &mut self.meshes {
            meshes.forget();
        }
        self.solids = ConvexMemory::default();
        self.pieces = None;
        self.shift = None;
    }
}

impl Memory {
    /// After one body was replaced, keeps what still holds: the places of triangles, if the triangles are the same.
    pub(crate) fn replaced(&mut self, old: &Model, new: &Model) {
        let same = matches!((old, new), (Model::Mesh(old), Model::Mesh(new)) if new.has_layout_of(old));
        let last = self.meshes.as_ref().and_then(|meshes| meshes.last_places).filter(|_| same);
        self.forget();
        if let Some(meshes) = &mut self.meshes {
            meshes.last_places = last;
        }
    }
}
